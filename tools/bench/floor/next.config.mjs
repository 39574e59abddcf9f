import { join } from "node:path";

/** Inside the repository, so that it resolves the application's own packages and Prisma client. */
export default {
  turbopack: { root: join(import.meta.dirname, "..", "..", "..") },
  serverExternalPackages: ["pg", "libsecp256k1"],
  // The cache takes a third of the build's time, and nothing reuses it.
  experimental: { turbopackFileSystemCacheForBuild: false },
};
