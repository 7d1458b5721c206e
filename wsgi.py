"""The WSGI application for any server; `companion serve` serves it with granian."""

from companion.web import start

app = start()
