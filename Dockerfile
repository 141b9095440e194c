# The service in a small image. Built without a network of its own at run time: `docker run` needs
# only a volume at /data. The root file system may be read-only (see docker-compose.yml).
# Tags by default; `make image` gives the digests of the day instead.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
ARG POSTGRES_IMAGE=postgres:18-bookworm

# `podium backup` and `restore` call these two where the database is PostgreSQL. They come from the
# image of the compose file's server, so that they are of its version. It is of the same release of
# Debian as the image below, which lacks but a few of their libraries.
FROM ${POSTGRES_IMAGE} AS postgres
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN mkdir --parents /clients/lib \
 && cp /usr/lib/postgresql/*/bin/pg_{dump,restore} /clients \
 && ldd /usr/lib/postgresql/*/bin/pg_{dump,restore} | awk '$2 == "=>" { print $3 }' \
  | sort --unique | xargs cp --dereference --target-directory=/clients/lib

FROM ${PYTHON_IMAGE} AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /build
COPY requirements.lock ./
# The lock's first part is what runs; of the others only what builds the wheel is wanted.
RUN sed '/^# --- development ---$/,$d' requirements.lock > runtime.lock \
 && awk '/^[a-z]/ { keep = /^(setuptools|ziglang)==/ } keep' requirements.lock > builder.lock \
 && python -m venv /opt/podium \
 && /opt/podium/bin/pip install --require-hashes -r runtime.lock \
 && python -m pip install --require-hashes -r builder.lock
COPY pyproject.toml setup.py README.md LICENSE ./
COPY migrations migrations
COPY docs/metrics docs/metrics
COPY app app
# The same sources make the same bytes, whenever and by whomever they were checked out.
ARG SOURCE_DATE_EPOCH=1767225600
RUN python -m pip wheel --no-deps --no-build-isolation --wheel-dir wheels .
RUN /opt/podium/bin/pip install --no-deps wheels/*.whl \
 && /opt/podium/bin/pip uninstall --yes setuptools pip

FROM ${PYTHON_IMAGE}
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN groupadd --gid 10001 podium \
 && useradd --uid 10001 --gid podium --no-create-home --shell /usr/sbin/nologin podium \
 && install --directory --owner=podium --group=podium --mode=0700 /data /backups
# The image's standard library comes uncompiled, and nobody may write there later: every child that
# judges would compile it anew.
RUN python -m compileall -q -x '/(test|tests|lib2to3|site-packages)/' \
    "$(python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"
# A library that this image has stays its own.
RUN --mount=type=bind,from=postgres,source=/clients,target=/clients \
    install --mode=0755 /clients/pg_dump /clients/pg_restore /usr/local/bin \
 && ldconfig --print-cache > /tmp/known \
 && for library in /clients/lib/*; do \
      grep --quiet --fixed-strings "	${library##*/} " /tmp/known \
        || install --mode=0644 "$library" /usr/local/lib; \
    done \
 && rm /tmp/known && ldconfig && pg_dump --version && pg_restore --version
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
# Last, so that another commit does not build everything anew.
ARG VERSION=unknown
ARG REVISION=unknown
ARG SOURCE=
LABEL org.opencontainers.image.title="Podium" \
      org.opencontainers.image.description="A self-hosted, Kaggle-style competition scorer for recommender systems" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
