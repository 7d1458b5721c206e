"""The HTTP server: uvicorn reads requests and writes responses, threads run the WSGI application between the two.

A request holds a thread only while it is worked on: its body is read before, within a deadline, a size and a least
rate; its response is written after. Nothing in this package knows Flask or what is served.
"""

BODY_FAULT = "companion.body_fault"
"""Key of a request's environment: the status with which to refuse it, because its body was not read."""
LONG_WORK = "companion.long_work"
"""Key of a request's environment: the `LongWork` by which what takes long does not delay what is short."""


class Misconfigured(Exception):
    """Settings with which the service must not start."""
