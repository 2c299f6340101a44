# The service alone; compose.yaml puts a Redis beside it.
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY requirements requirements
COPY scripts scripts
COPY schemas schemas
COPY service service
RUN scripts/install.sh /opt/arbitr

FROM python:3.13-slim
RUN useradd --system --uid 10001 --no-create-home --home-dir /data arbitr \
    && install -d -o arbitr -g arbitr -m 700 /data
COPY --from=build /opt/arbitr /opt/arbitr
ENV PATH=/opt/arbitr/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PORT=8000 \
    ARBITR_STREAM_PORT=8001 \
    ARBITR_BIND=0.0.0.0 \
    ARBITR_DATA=/data
USER arbitr
WORKDIR /data
VOLUME /data
EXPOSE 8000 8001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/livez', timeout=2)"]
CMD ["arbitr", "serve"]
