# The service in a small image. Built without a network of its own at run time: `docker run` needs
# only a volume at /data. The root file system may be read-only (see docker-compose.yml).

FROM python:3.11-slim-bookworm AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /build
COPY requirements.lock ./
# The lock's first part is what runs; of its second part only the builder of the wheel is wanted.
RUN sed '/^# --- development ---$/,$d' requirements.lock > runtime.lock \
 && awk '/^[a-z]/ { keep = /^setuptools==/ } keep' requirements.lock > builder.lock \
 && python -m venv /opt/podium \
 && /opt/podium/bin/pip install --require-hashes -r runtime.lock \
 && python -m pip install --require-hashes -r builder.lock
COPY pyproject.toml README.md ./
COPY migrations migrations
COPY app app
RUN python -m pip wheel --no-deps --no-build-isolation --wheel-dir wheels . \
 && /opt/podium/bin/pip install --no-deps wheels/*.whl \
 && /opt/podium/bin/pip uninstall --yes setuptools pip

FROM python:3.11-slim-bookworm
RUN groupadd --gid 10001 podium \
 && useradd --uid 10001 --gid podium --no-create-home --shell /usr/sbin/nologin podium \
 && install --directory --owner=podium --group=podium --mode=0700 /data
# The image's standard library comes uncompiled, and nobody may write there later: every child that
# judges would compile it anew.
RUN python -m compileall -q -x '/(test|tests|lib2to3|site-packages)/' /usr/local/lib/python3.11
COPY --from=build /opt/podium /opt/podium
ENV PATH=/opt/podium/bin:$PATH \
    PODIUM_DATA_DIR=/data \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
# SIGTERM lets requests end and hands judgings back; see stop_grace_period in docker-compose.yml.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=6s --start-period=30s --retries=3 \
    CMD ["podium", "doctor", "--health"]
ENTRYPOINT ["podium"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
