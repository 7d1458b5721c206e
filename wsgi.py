"""The WSGI application for any server: `gunicorn wsgi:app`."""

from companion.web import start

app = start()
