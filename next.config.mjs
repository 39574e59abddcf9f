/** @type {import("next").NextConfig} */
export default {
  // What a package is made from (scripts/package.ts); `npm start` serves the same build.
  output: "standalone",
  poweredByHeader: false,
  reactStrictMode: true,
  // No page uses it, and its endpoint would fetch any path of ours from inside, past the gate (docs/decisions/0023): it is a 404, and what it
  // needs is left out.
  images: { unoptimized: true },
  outputFileTracingExcludes: { "*": ["node_modules/sharp/**", "node_modules/@img/**"] },
  // `import text from "./file.js?raw"`: the wallet's service worker is served as it is written.
  turbopack: { rules: { "*.js": { condition: { query: "?raw" }, type: "text" } } },
  serverExternalPackages: [
    "graphile-worker",
    "pg",
    "pino",
    "libsecp256k1",
    "bitcoinjs-message",
    "rate-limiter-flexible",
    "prom-client",
    "@opentelemetry/api",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace",
  ],
};
