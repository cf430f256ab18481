# One build, three images: docker build --target worker|api|web --build-arg NODE_IMAGE=… . (docker-compose.yml says which).
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
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /perigee
COPY package.json package-lock.json .npmrc ./
COPY core/package.json core/
COPY enclave/package.json enclave/
COPY sdk/package.json sdk/
COPY verifier/package.json verifier/
COPY web/package.json web/
COPY examples examples
COPY tests/react18/package.json tests/react18/
# Temporal's native module ships for five platforms; an image needs one.
RUN npm ci --omit=dev --no-audit --no-fund \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
     ! -name "$(node -p 'process.arch === "x64" ? "x86_64" : "aarch64"')-unknown-linux-gnu" -exec rm -rf {} +

FROM ${NODE_IMAGE} AS base
ENV NODE_ENV=production
WORKDIR /perigee
COPY LICENSE package.json ./
USER node

FROM base AS worker
# Owned by the user that runs the program, so that a new volume is too.
USER root
RUN mkdir -p /var/lib/perigee/collateral && chown node:node /var/lib/perigee/collateral
USER node
COPY --from=packages /perigee/node_modules ./node_modules
COPY --from=build /perigee/dist/worker.mjs /perigee/dist/workflows.cjs /perigee/dist/workflowsTraced.cjs /perigee/dist/failureConverter.cjs ./dist/
# The flags of workers/nodeFlags.ts.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=384", "dist/worker.mjs"]

FROM base AS api
COPY --from=packages /perigee/node_modules ./node_modules
COPY --from=build /perigee/dist/api.mjs /perigee/dist/failureConverter.cjs ./dist/
COPY --from=build /perigee/docs/receipt-v1.md ./docs/
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.API_PORT + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/api.mjs"]

FROM base AS web
COPY --from=build /perigee/dist/web.mjs ./dist/
COPY --from=build /perigee/web/dist ./web/dist
EXPOSE 5173
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.WEB_PORT + '/').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/web.mjs"]
