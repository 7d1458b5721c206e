"""The WSGI application for any server; `python -m companion.serve` serves it with bounds on slow clients."""

from companion.web import start

app = start()
