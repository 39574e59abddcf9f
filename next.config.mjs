/** @type {import("next").NextConfig} */
export default {
  output: "standalone",
  poweredByHeader: false,
  reactStrictMode: true,
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
