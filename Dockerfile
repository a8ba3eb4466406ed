# One image for the api, the worker and the migrations; the command chooses. Debian, not Alpine: Temporal's
# native core is built for glibc only.
FROM node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS base
WORKDIR /app
COPY package.json package-lock.json ./

# What runs in production, without the builds of Temporal's core for other machines (110 MB).
FROM base AS deps
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
    ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM base AS build
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build.mjs scripts/build-if-stale.mjs scripts/
COPY migrations migrations
COPY docs docs
COPY sdk/README.md sdk/
COPY src src
# Names the build, as in `docker build --build-arg BUILD=$(git rev-parse --short=12 HEAD) .`: there is no git in here.
ARG BUILD=""
RUN npm run build -- "$BUILD"

FROM node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS runtime
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY package.json ./
COPY --from=deps /app/node_modules node_modules
COPY --from=build /app/dist dist
# A volume that is mounted here belongs to the process that ships movements.
RUN install -d -m 0700 -o node -g node /var/lib/partner-wallet-movements
USER node
EXPOSE 3000
# The option makes room for what requests leave: docs/decisions/0039-what-makes-it-fast-measure-by-measure.md.
CMD ["node", "--max-semi-space-size=32", "dist/src/api/main.js"]
