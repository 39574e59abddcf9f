import { join } from "node:path";

/** Inside the repository, so that it resolves the application's own packages and Prisma client. */
export default {
  turbopack: { root: join(import.meta.dirname, "..", "..", "..") },
  serverExternalPackages: ["pg", "libsecp256k1"],
  // To keep what was compiled takes a third of the build, and no other begins with it.
  experimental: { turbopackFileSystemCacheForBuild: false },
};
