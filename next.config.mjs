/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ["graphile-worker", "pg", "pino", "secp256k1", "rate-limiter-flexible"],
};
