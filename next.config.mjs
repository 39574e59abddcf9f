import { existsSync } from "node:fs";
import { PHASE_PRODUCTION_BUILD, PHASE_PRODUCTION_SERVER } from "next/constants.js";
import { generateClient, isClientGenerated } from "./scripts/bootstrap/prisma-client.mjs";

/** @type {import("next").NextConfig} */
const CONFIG = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks the types of the application together with the tests' own.
  typescript: { ignoreBuildErrors: true },
  // Most clones, and all on CI, are built only once, so a cache is kept from the second build on.
  experimental: { turbopackFileSystemCacheForBuild: !process.env.CI && existsSync(".next/BUILD_ID") },
  // No page uses the image optimiser, and its endpoint would fetch any path of this application while bypassing the
  // gate (docs/decisions/0023). It returns 404, and its dependencies are omitted.
  images: { unoptimized: true },
  outputFileTracingExcludes: { "*": ["node_modules/sharp/**", "node_modules/@img/**"] },
  // Not an enclosing folder: a lock file or workspaces above the clone would move the root there, and a package with
  // it.
  outputFileTracingRoot: import.meta.dirname,
  // `import text from "./file.js?raw"`: the wallet's service worker is served as it is written.
  turbopack: {
    root: import.meta.dirname,
    rules: { "*.js": { condition: { query: "?raw" }, type: "text" } },
  },
  serverExternalPackages: [
    "graphile-worker",
    "pg",
    "pino",
    "libsecp256k1",
    "bitcoinjs-message",
    "prom-client",
    "@opentelemetry/api",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace",
  ],
};

/** @returns {Promise<import("next").NextConfig>} */
export default async function config(phase) {
  // For `next build` and `next dev` in a fresh clone. The npm scripts have already generated it.
  if (phase !== PHASE_PRODUCTION_SERVER && !isClientGenerated(import.meta.dirname)) {
    await generateClient(import.meta.dirname, process.execPath, () => {});
  }
  return phase === PHASE_PRODUCTION_BUILD && process.env.FOR_PACKAGE
    ? { ...CONFIG, output: "standalone" }
    : CONFIG;
}
