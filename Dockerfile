# syntax=docker/dockerfile:1
# Build:  docker build -t heed .
# Run:    docker run --rm -p 8000:8000 -v heed:/data heed      (also with --read-only --tmpfs /tmp)

# --- build: the environment, with a compiler for the kernels -------------------------------------
# An exact version; docs/operations.md has the command that pins its digest, too.
ARG PYTHON=python:3.11.14-slim-trixie

FROM ${PYTHON} AS build
WORKDIR /srv/heed
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# torch first and alone: the largest layer; the CPU build of the version in constraints.txt
# from one index alone, so that no other can offer a package of the same name
RUN pip install torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu --no-deps
# the other packages by their digests, and those that build Heed: the image runs what was tested
COPY requirements.lock .
RUN pip install --require-hashes --no-deps -r requirements.lock
COPY pyproject.toml hatch_build.py LICENSE NOTICE ./
COPY heed heed
COPY app app
COPY models models
COPY output output
COPY packages packages
COPY static static
COPY templates templates
RUN pip install --no-deps --no-build-isolation --no-index ./packages/heed-attention-models .

# --- run ----------------------------------------------------------------------------------------
FROM ${PYTHON}
RUN useradd --system --uid 10001 --user-group --home-dir /nonexistent --shell /usr/sbin/nologin heed \
  && install --directory --owner heed --mode 700 /data
COPY --from=build /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HEED_STORE=/data
WORKDIR /tmp
USER heed
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=3s --start-period=20s --retries=3 \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["heed", "serve", "--host", "0.0.0.0", "--port", "8000"]
