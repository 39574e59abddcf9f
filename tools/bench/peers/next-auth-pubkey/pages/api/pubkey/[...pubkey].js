import NextAuthPubkey from "next-auth-pubkey";
import generateQr from "next-auth-pubkey/generators/qr";
import pg from "pg";

/** As in its own examples: one row a login, its data as JSON. */
function inPostgres(pool) {
  return {
    async set({ k1, data }) {
      await pool.query("INSERT INTO pubkey (k1, data) VALUES ($1, $2)", [k1, data]);
    },
    async get({ k1 }) {
      const { rows } = await pool.query("SELECT data FROM pubkey WHERE k1 = $1", [k1]);
      return rows[0]?.data;
    },
    async update({ k1, data }) {
      const { rowCount } = await pool.query("UPDATE pubkey SET data = data || $2 WHERE k1 = $1", [k1, data]);
      if (rowCount === 0) throw new Error(`Could not find k1:${k1}`);
    },
    async delete({ k1 }) {
      await pool.query("DELETE FROM pubkey WHERE k1 = $1", [k1]);
    },
  };
}

function inMemory(rows) {
  return {
    set: async ({ k1, data }) => void rows.set(k1, data),
    get: async ({ k1 }) => rows.get(k1),
    async update({ k1, data }) {
      if (!rows.has(k1)) throw new Error(`Could not find k1:${k1}`);
      rows.set(k1, { ...rows.get(k1), ...data });
    },
    delete: async ({ k1 }) => void rows.delete(k1),
  };
}

// The framework loads this module more than once.
globalThis.pubkeyRows ??= new Map();
const connectionString = process.env.DATABASE_URL;

const config = {
  baseUrl: process.env.NEXTAUTH_URL,
  secret: process.env.NEXTAUTH_SECRET,
  storage: connectionString
    ? inPostgres(new pg.Pool({ connectionString, max: 10 }))
    : inMemory(globalThis.pubkeyRows),
  generateQr,
  flags: { diagnostics: false, logs: false },
};

const { lightningProvider, handler } = NextAuthPubkey(config);

export { lightningProvider };

export default handler;
