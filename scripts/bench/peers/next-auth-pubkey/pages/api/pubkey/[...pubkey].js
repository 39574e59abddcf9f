import NextAuthPubkey from "next-auth-pubkey";
import generateQr from "next-auth-pubkey/generators/qr";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

/** As in its own examples: one row a login, its data as JSON. */
const config = {
  baseUrl: process.env.NEXTAUTH_URL,
  secret: process.env.NEXTAUTH_SECRET,
  storage: {
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
  },
  generateQr,
  flags: { diagnostics: false, logs: false },
};

const { lightningProvider, handler } = NextAuthPubkey(config);

export { lightningProvider };

export default handler;
