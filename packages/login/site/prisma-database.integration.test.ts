import { PrismaPg } from "@prisma/adapter-pg";
import { expect, onTestFinished, test } from "vitest";
import { PrismaClient } from "../../../generated/prisma/client.ts";
import { createTestDatabase } from "../../../tools/kit/database.ts";
import { prismaDatabase, type Statement } from "../database/database.ts";
import { CLIENT_ADDRESS_HEADER, formatClientStamp } from "../http/client-address.ts";
import { createLogin } from "../index.ts";
import { VirtualWallet } from "../testing/virtual-wallet.ts";
import { assertTables, migrate } from "./migrate.ts";
import {
  createWalletResponseRequest,
  formatCookieHeader,
  newClientHeaders,
  ORIGIN,
  SITE_SETTINGS,
  signInBrowser,
  startSite,
} from "./tests/site.fixture.ts";

/** The site's own Prisma client, without a pool or a listening connection. */

const OPTIONS = "-c search_path=svc_login,public -c timezone=UTC";

let url: string;
let prisma: PrismaClient;

function connect(options: string): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: url, options }) });
}

const site = startSite((databaseUrl) =>
  createLogin(async () => {
    await migrate(databaseUrl);
    url = databaseUrl;
    prisma = connect(OPTIONS);
    return { ...SITE_SETTINGS, database: prismaDatabase(prisma), onStopped: () => prisma.$disconnect() };
  }),
);

test("supports a login from its code to the end of its session", async () => {
  const { browser, userId } = await signInBrowser(site().login);
  expect(userId).toEqual(expect.any(Number));
  const session = "SELECT created_at AS at FROM svc_login.browser_session";
  const [opened] = await prisma.$queryRawUnsafe<{ at: Date }[]>(session);
  expect(Math.abs(Date.now() - Number(opened?.at))).toBeLessThan(60_000);
  expect((await browser.send("DELETE", "/api/account/sessions")).status).toBe(204);
  expect(await browser.userId()).toBeNull();
});

const askCode = () =>
  site().login.routes.GET(new Request(`${ORIGIN}/api/svc/qr?mode=register`, { headers: newClientHeaders() }));

test("accepts simultaneous responses from one new key", async () => {
  const wallet = new VirtualWallet();
  for (let round = 0; round < 5; round++) {
    const codes = await Promise.all([1, 2, 3].map(async () => (await askCode()).json()));
    const answers = await Promise.all(
      codes.map(({ challenge }) => site().login.routes.POST(createWalletResponseRequest(wallet, challenge))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  }
});

test("counts requests and refuses them above the limit", async () => {
  const headers = { [CLIENT_ADDRESS_HEADER]: formatClientStamp("203.0.113.9") };
  const ask = () => site().login.routes.GET(new Request(`${ORIGIN}/api/svc/qr`, { headers }));
  expect((await ask()).headers.get("RateLimit-Remaining")).toBe("119");
  await prisma.$executeRaw`UPDATE svc_login.rate_limit SET points = 120 WHERE key = 'qr:203.0.113.9'`;
  const refusal = await ask();
  expect(refusal.status).toBe(429);
  expect(Number(refusal.headers.get("Retry-After"))).toBeGreaterThan(0);
});

test("notifies an event stream of an answer without a LISTEN connection", async () => {
  const code = await askCode();
  const { sid, challenge } = await code.json();
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const stream = await site().login.routes.GET(
    new Request(`${ORIGIN}/api/svc/events?sid=${sid}`, {
      headers: { cookie: formatCookieHeader(code), ...newClientHeaders() },
      signal: controller.signal,
    }),
  );
  await site().login.routes.POST(createWalletResponseRequest(new VirtualWallet(), challenge));
  const text = await stream.text();
  expect(text).toMatch(/"pending".*"authenticated"/s);
});

test("passes values of every type through unchanged", async () => {
  const port = prismaDatabase(prisma);
  const echo: Statement = {
    name: "echo",
    text: `SELECT $1::timestamptz AS at, $2::bytea AS bytes, $3::text AS nothing, $4::boolean AS flag,
      $5::bigint::text AS number, $6::text[] AS list, $1::timestamptz = '2026-03-04T05:06:07.089Z' AS same`,
  };
  const at = new Date("2026-03-04T05:06:07.089Z");
  const bytes = new Uint8Array([0, 1, 254, 255]);
  const [row] = await port.run(echo, [at, bytes, null, true, 253_402_300_799, ["a", "b"]]);
  expect(row).toEqual({
    ...{ at, bytes, nothing: null, flag: true, number: "253402300799", list: ["a", "b"], same: true },
  });
  const divide: Statement = {
    name: "divide",
    text: "SELECT 1 / $1::int AS one",
  };
  await expect(port.run(divide, [0])).rejects.toMatchObject({ code: "22012" });
});

test.each([
  ["another schema first", "-c search_path=public,svc_login -c timezone=UTC"],
  ["another time zone", "-c search_path=svc_login -c timezone=Asia/Tokyo"],
])("refuses connections with unsuitable settings and explains what to change: %s", async (_name, options) => {
  const client = connect(options);
  onTestFinished(() => client.$disconnect());
  await client.$executeRaw`CREATE TABLE IF NOT EXISTS public.login_session (sid TEXT)`;
  await expect(assertTables(prismaDatabase(client))).rejects.toThrow(OPTIONS);
});

test("refuses a database without the login's tables and says what to do", async () => {
  const empty = await createTestDatabase();
  const client = new PrismaClient({
    adapter: new PrismaPg({ connectionString: empty.url, options: OPTIONS }),
  });
  onTestFinished(async () => {
    await client.$disconnect();
    await empty.close();
  });
  await expect(assertTables(prismaDatabase(client))).rejects.toThrow(/Run migrate\(databaseUrl\) first/);
});
