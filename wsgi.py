"""The WSGI application for any server: `gunicorn wsgi:app`."""

from companion.web import create_app

app = create_app()
