import type { NextConfig } from "next";

export default {
  poweredByHeader: false,
  // Native code, and what starts PostgreSQL: loaded by Node itself, not bundled.
  serverExternalPackages: ["@svc/postgres", "libsecp256k1", "pg"],
} satisfies NextConfig;
