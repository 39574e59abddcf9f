// These packages must not be bundled, because they contain native code or start PostgreSQL.
const serverExternalPackages = ["@svc/postgres", "libsecp256k1", "pg"];
// `npm test` builds into a different folder, so that a running site keeps its build.
const distDir = process.env.BUILD_FOLDER ?? ".next";
// The image optimizer is off. Its requests would come from this server, so rate limits could not tell clients apart.
export default { poweredByHeader: false, serverExternalPackages, distDir, images: { unoptimized: true } };
