import { join } from "node:path";

/** Inside the repository so that the build can use the repository's packages and Prisma client. */
export default {
  turbopack: { root: join(import.meta.dirname, "..", "..", "..") },
  serverExternalPackages: ["pg", "libsecp256k1"],
  // Writing the cache takes a third of the build's time, and no later build uses it.
  experimental: { turbopackFileSystemCacheForBuild: false },
};
