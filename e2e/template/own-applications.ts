/** Before the login is added. Keyed by the paths below the folder that contains `app/`. */

/** Shows the user who is signed in according to the application's own sessions. */
const membersPage = (imports: string, userId: string) => `${imports}
import { Suspense } from "react";

export default function MembersPage() {
  return <Suspense><Members /></Suspense>;
}

async function Members() {
  const id = ${userId};
  return <h1>{id === undefined ? "Nobody" : \`Member \${id}\`}</h1>;
}
`;
const NEXT_AUTH_MEMBERS = membersPage(
  `import { getServerSession } from "next-auth";
import { authOptions } from "@/lib/auth";`,
  "((await getServerSession(authOptions))?.user as { id?: string } | undefined)?.id",
);

/** The application with NextAuth: a password, users, and a page for members. */
export const WITH_TOKENS = {
  "lib/password-provider.ts": `import CredentialsProvider from "next-auth/providers/credentials";

export const passwordProvider = CredentialsProvider({
  name: "Password",
  credentials: { password: { label: "Password", type: "password" } },
  authorize: async (fields) => (fields?.password === "correct horse" ? { id: "1", name: "Ada" } : null),
});
`,
  "lib/users.ts": `/** Stands for a table of users with a unique column. */
export async function findOrCreateWalletUser(walletUser: number): Promise<string> {
  return \`customer-\${walletUser}\`;
}
`,
  "app/members/page.tsx": NEXT_AUTH_MEMBERS,
};

/** As create-t3-app sets up database sessions: with an adapter, and without a strategy. */
export const WITH_DATABASE_SESSIONS = {
  "lib/pool.ts": `import pg from "pg";

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
`,
  "lib/auth.ts": `import PostgresAdapter from "@auth/pg-adapter";
import type { NextAuthOptions } from "next-auth";
import type { Adapter } from "next-auth/adapters";
import GitHubProvider from "next-auth/providers/github";
import { pool } from "./pool";

export const authOptions: NextAuthOptions = {
  adapter: PostgresAdapter(pool) as Adapter,
  providers: [GitHubProvider({ clientId: "id", clientSecret: "secret" })],
  callbacks: { session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }) },
};
`,
  "lib/users.ts": `import { pool } from "./pool";

export async function findOrCreateWalletUser(walletUser: number): Promise<string> {
  const { rows } = await pool.query(
    "INSERT INTO users (wallet_user) VALUES ($1) ON CONFLICT (wallet_user) DO UPDATE SET wallet_user = $1 RETURNING id",
    [walletUser],
  );
  return String(rows[0].id);
}
`,
  "app/api/auth/[...nextauth]/route.ts": `import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth";

const handler = NextAuth(authOptions);
export { handler as GET, handler as POST };
`,
  "app/members/page.tsx": NEXT_AUTH_MEMBERS,
};

/** From the adapter's documentation, and a column for wallets. */
export const ADAPTER_TABLES = `
  CREATE TABLE users (id SERIAL PRIMARY KEY, name text, email text, "emailVerified" timestamptz, image text, wallet_user int UNIQUE);
  CREATE TABLE sessions (id SERIAL PRIMARY KEY, "userId" int NOT NULL, expires timestamptz NOT NULL, "sessionToken" text NOT NULL);
  INSERT INTO users (name) VALUES ('Ada')`;

/** The route creates the tables, as better-auth's command does. */
export const WITH_BETTER_AUTH = {
  "app/api/auth/[...all]/route.ts": `import { toNextJsHandler } from "better-auth/next-js";
import { auth } from "@/lib/auth";

export const { GET, POST } = toNextJsHandler(auth);
`,
  "app/api/tables/route.ts": `import { getMigrations } from "better-auth/db";
import { auth } from "@/lib/auth";

export async function POST() {
  const { runMigrations } = await getMigrations(auth.options);
  await runMigrations();
  return new Response(null, { status: 204 });
}
`,
  "app/members/page.tsx": membersPage(
    `import { headers } from "next/headers";
import { auth } from "@/lib/auth";`,
    "(await auth.api.getSession({ headers: await headers() }))?.user.name",
  ),
};
