import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db";
import { toNodeHandler } from "better-auth/node";
import { siwe } from "better-auth/plugins";
import pg from "pg";
import { verifyMessage } from "viem";

const url = process.env.APP_URL;

const options = {
  baseURL: url,
  secret: process.env.NEXTAUTH_SECRET,
  database: new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 }),
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  trustedOrigins: [url],
  plugins: [
    siwe({
      domain: "localhost",
      getNonce: async () => randomBytes(16).toString("hex"),
      verifyMessage: ({ message, signature, address }) => verifyMessage({ message, signature, address }),
    }),
  ],
};

const { runMigrations } = await getMigrations(options);
await runMigrations();
createServer(toNodeHandler(betterAuth(options))).listen(Number(process.env.PORT));
