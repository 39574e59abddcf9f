// Native code, and what starts PostgreSQL: loaded by Node itself, not bundled.
const serverExternalPackages = ["@svc/postgres", "libsecp256k1", "pg"];
// `npm test` builds beside what runs here.
const distDir = process.env.BUILD_FOLDER ?? ".next";

export default { poweredByHeader: false, serverExternalPackages, distDir };
