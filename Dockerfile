# The application in an image: built in one stage, and copied with only the output of `npm run package` to the
# other. e2e/image/ runs the same steps without Docker.

FROM node:26.9.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/login/package.json packages/login/
COPY packages/react/package.json packages/react/
COPY packages/postgres/package.json packages/postgres/
COPY packages/wallet/package.json packages/wallet/
COPY packages/conformance/package.json packages/conformance/
COPY scripts/bootstrap/absent scripts/bootstrap/absent
# Without install scripts, because they prepare a clone's PostgreSQL and the image uses a different one.
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund
COPY . .
# The builder caches the framework's compiled output, which is not part of the image.
RUN --mount=type=cache,target=/app/.next/cache npm run package

FROM node:26.9.0-slim
WORKDIR /app
ENV NODE_ENV=production
COPY --from=build /app/dist ./
USER node
EXPOSE 3000
# Checks only that the process is alive, because restarting it would not bring back the database.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://localhost:${process.env.PORT ?? 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server.js"]
