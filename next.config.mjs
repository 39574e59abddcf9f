import { existsSync } from "node:fs";
import { PHASE_PRODUCTION_BUILD, PHASE_PRODUCTION_SERVER } from "next/constants.js";
import { generateClient, isClientGenerated } from "./scripts/bootstrap/prisma-client.mjs";

/** @type {import("next").NextConfig} */
const CONFIG = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks the types of the application together with those of the tests.
  typescript: { ignoreBuildErrors: true },
  // Most clones, including all CI jobs, are built only once, so builds are cached only from the second one on.
  experimental: { turbopackFileSystemCacheForBuild: !process.env.CI && existsSync(".next/BUILD_ID") },
  // No page uses the image optimiser. Its endpoint would fetch any path of this application and bypass the gate
  // (docs/decisions/0023). Here it returns 404, and its dependencies are omitted.
  images: { unoptimized: true },
  outputFileTracingExcludes: { "*": ["node_modules/sharp/**", "node_modules/@img/**"] },
  // Without this setting, Next.js would use a folder above the clone as the root if it has a lock file or workspaces,
  // and the package's layout would change.
  outputFileTracingRoot: import.meta.dirname,
  // `import text from "./file.js?raw"` imports a file as text. The wallet's service worker is served without changes.
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
  // Only `next build` and `next dev` in a fresh clone need this. The npm scripts have already generated the client.
  if (phase !== PHASE_PRODUCTION_SERVER && !isClientGenerated(import.meta.dirname)) {
    await generateClient(import.meta.dirname, process.execPath, () => {});
  }
  return phase === PHASE_PRODUCTION_BUILD && process.env.FOR_PACKAGE
    ? { ...CONFIG, output: "standalone" }
    : CONFIG;
}
