import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/kit/database.ts";
import { sql } from "#tools/kit/sql.ts";
import { NEXTAUTH_SECRET } from "#tools/kit/start-app.ts";
import { copySite, edit, run, shellVariables } from "./generated-site.ts";
import { readListings } from "./read-guide.ts";

/** Exactly as in docs/own-data.md, in a generated site. */

const MINUTES = 60_000;
const PAGE = readFileSync(join(import.meta.dirname, "..", "..", "docs", "own-data.md"), "utf8");
const LISTINGS = readListings(PAGE);

const folder = mkdtempSync(join(tmpdir(), "svc own data "));
const site = join(folder, "site");
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  copySite(inject("installedSite"), site);
}, 5 * MINUTES);
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Throws unless exactly one code block contains `part`. */
function listing(part: string): string {
  const found = LISTINGS.filter(({ text }) => text.includes(part));
  if (found.length !== 1) throw new Error(`${found.length} listings hold ${part}`);
  return found[0]?.text ?? "";
}

// Without the tests' own DATABASE_URL. Without the other variable, Prisma would download an engine for other databases.
const variables = { ...shellVariables(), PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
const node = (script: string) =>
  run(process.execPath, ["--input-type=module", "--eval", script], site, variables);

test("quotes the template's `pg` statement in the guide", () => {
  const statement = /"SELECT id, text FROM note WHERE user_id = \$1/.exec(listing("SELECT id, text"))?.[0];
  expect(readFileSync(join(site, "app/dashboard/notes.tsx"), "utf8")).toContain(statement);
});

test(
  "stores notes with Prisma",
  async () => {
    for (const command of listing("npm install @prisma/client").trim().split("\n")) {
      await run(
        "npm",
        [...command.split(" ").slice(1), "--prefer-offline", "--no-audit", "--no-fund"],
        site,
        variables,
      );
    }
    writeFileSync(join(site, ".env"), `DATABASE_URL=${database.url}\nNEXTAUTH_SECRET="${NEXTAUTH_SECRET}"\n`);
    for (const { path, text } of LISTINGS) {
      if (path === null) continue;
      mkdirSync(dirname(join(site, path)), { recursive: true });
      writeFileSync(join(site, path), text);
    }
    const [, generate = ""] = listing("npx prisma migrate dev").trim().split("\n");
    await run("npx", generate.split(" ").slice(1), site, variables);
    const url =
      'const { default: config } = await import("./prisma.config.ts"); console.log(config.datasource.url);';
    expect(await node(url)).toContain(database.url);

    edit(site, "app/dashboard/notes.tsx", (text) =>
      text
        .replace(/ {2}const list = [\s\S]*?;\n {2}const \{ rows \} = .*\n/, listing("findMany"))
        .replace(
          / {2}.*\(await database\(\)\)\.query\("(INSERT|SELECT add_note).*\n(.*add_note.*\n)?/,
          listing("note.create"),
        ),
    );
    await run("npx", ["next", "typegen"], site, variables);
    await run("npx", ["tsc", "--noEmit"], site, variables);
  },
  10 * MINUTES,
);

test("writes and reads only the user's own rows with the guide's Prisma statements", async () => {
  // As from `prisma migrate dev`, which needs an engine that is not on npm.
  await sql(
    database.url,
    "CREATE TABLE note (id BIGSERIAL PRIMARY KEY, user_id int NOT NULL, text text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())",
  );
  const use = (userId: number, act: string) =>
    `{ const session = { userId: ${userId} }, { userId } = session, text = "of ${userId}"; ${act} }`;
  const read = `${listing("findMany")} console.log(rows.map(({ text }) => text).join());`;
  const script = `process.loadEnvFile(".env"); const { database } = await import("./lib/database.ts");
    ${use(1, listing("note.create"))} ${use(2, listing("note.create"))} ${use(1, read)} process.exit();`;
  expect(await node(script)).toBe("of 1\n");
});
