"""The WSGI application for any server: `gunicorn wsgi:app`."""

from companion.web.start import start

app = start()
