// Native code, and what starts PostgreSQL: loaded by Node itself, not bundled.
const serverExternalPackages = ["@svc/postgres", "libsecp256k1", "pg"];

export default { poweredByHeader: false, serverExternalPackages };
