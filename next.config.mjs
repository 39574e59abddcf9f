/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // No page uses it, and its endpoint would fetch any path of ours from inside, past the gate (docs/decisions/0023).
  images: { unoptimized: true },
  // `import text from "./file.js?raw"`: the wallet's service worker is served as it is written.
  turbopack: { rules: { "*.js": { condition: { query: "?raw" }, type: "text" } } },
  serverExternalPackages: [
    "graphile-worker",
    "pg",
    "pino",
    "libsecp256k1",
    "bitcoinjs-message",
    "rate-limiter-flexible",
  ],
};
