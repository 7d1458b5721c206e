# The service in a container: no root, nothing written but below /data and /tmp, a health check.
# There was no container engine where this was written: neither this file nor compose.yaml has been built or run. A test
# runs the lines that install, in a clean folder, and the command that serves.
FROM python:3.13-slim AS build
WORKDIR /src
COPY . .
RUN python -m venv /app && /app/bin/pip install --no-cache-dir --require-hashes --requirement constraints/run.txt \
    && /app/bin/pip install --no-cache-dir --no-deps .

FROM python:3.13-slim
RUN useradd --uid 10001 --no-create-home companion && install -d -o companion -m 0700 /data
COPY --from=build /app /app
ENV PATH=/app/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 MALLOC_ARENA_MAX=2 XDG_CACHE_HOME=/tmp \
    COMPANION_DATABASE=/data/companion.sqlite3
USER 10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
# A container is reached from outside it: the listener is bound to every address of the container, and the proxy alone
# has a port on the host.
CMD ["companion", "serve", "--host", "0.0.0.0", "--port", "8000"]
