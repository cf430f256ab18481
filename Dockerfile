# One build, four images: docker build --target worker|api|codec|web --build-arg NODE_IMAGE=… . (docker-compose.yml says which),
# for the worker also --build-arg BUILD_ID=… (its tag).
# Each holds its program and the files of packages that it loads (dev/images/collect.mjs), with a bill of materials beside it.
# The enclave has its own Dockerfile, because its image is measured.
# Debian, because Temporal's native module needs glibc.
ARG NODE_IMAGE

FROM ${NODE_IMAGE} AS build
WORKDIR /perigee
COPY package.json package-lock.json .npmrc ./
COPY core/package.json core/
COPY enclave/package.json enclave/
COPY sdk/package.json sdk/
COPY verifier/package.json verifier/
COPY web/package.json web/
COPY examples examples
COPY tests/react18/package.json tests/react18/
# A mirror's settings and authorities, if the build needs any: docker build --secret id=npmrc,src=… --secret id=ca,src=…
RUN --mount=type=secret,id=npmrc,target=/run/npmrc --mount=type=secret,id=ca,target=/run/ca.pem \
  NPM_CONFIG_USERCONFIG=/run/npmrc npm ci --no-audit --no-fund
COPY . .
RUN npm run build && node dev/images/collect.mjs

FROM ${NODE_IMAGE} AS base
# Temporal's native client has no authorities of its own, and the slim image has no bundle. Node carries Mozilla's.
RUN mkdir -p /etc/ssl/certs \
  && node -e "process.stdout.write(require('node:tls').rootCertificates.join('\\n') + '\\n')" > /etc/ssl/certs/ca-certificates.crt
ENV NODE_ENV=production SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
WORKDIR /perigee

FROM base AS worker
# Owned by the user that runs the program, so that a new volume is too.
RUN mkdir -p /var/lib/perigee/collateral && chown node:node /var/lib/perigee/collateral
COPY --from=build /perigee/dist/images/worker ./
# Which build this is, for Temporal (temporal/RUNBOOK.md, "Deploying"): the image knows it, so nobody can run it under another's name.
ARG BUILD_ID
ENV WORKER_BUILD_ID=${BUILD_ID}
USER node
# Its metrics name its pollers once it polls; without WORKER_METRICS_ADDRESS it counts as unhealthy.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch('http://' + process.env.WORKER_METRICS_ADDRESS.replace('0.0.0.0', '127.0.0.1') + '/metrics').then((answer) => answer.text()).then((text) => process.exit(text.includes('temporal_num_pollers') ? 0 : 1), () => process.exit(1))"]
# The flags of workers/nodeFlags.ts.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=384", "dist/worker.mjs"]

# Also holds dist/migrate.mjs, which brings the schema up to date and ends.
FROM base AS api
COPY --from=build /perigee/dist/images/api ./
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.API_PORT + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The flags of api/nodeFlags.ts.
CMD ["node", "--min-semi-space-size=8", "dist/api.mjs"]

FROM base AS codec
COPY --from=build /perigee/dist/images/codec ./
USER node
EXPOSE 8234
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.CODEC_SERVER_PORT + '/').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/codec.mjs"]

FROM base AS web
COPY --from=build /perigee/dist/images/web ./
USER node
EXPOSE 5173
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.WEB_PORT + '/').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/web.mjs"]
