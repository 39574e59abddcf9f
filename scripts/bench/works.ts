import { hash } from "node:crypto";
import { Client } from "../kit/client.ts";
import { TestWallet } from "../kit/test-wallet.ts";
import { logIn, registeredWallet, requestCode } from "./app.ts";
import type { Compared, RunningApp } from "./compared.ts";
import type { Work } from "./measure.ts";

/** A question of the benchmark: works that are measured side by side. Ratios are to the first. */
export type Comparison = { title: string; works: readonly Work[] };

/** Whole logins: ours against the limit of runtime and database, and against the peers'. */
export function loginComparison({ apps, limit, peers, database }: Compared): Comparison {
  return {
    title: "Whole logins, until the browser holds a session",
    works: [
      ...apps.map((app) => ({
        name: app.name,
        servers: [app.server.pid],
        database: database.pid,
        run: withOwnWallet(app, (wallet) => logIn(app.server.url, wallet)),
      })),
      {
        name: "the limit",
        servers: [limit.server.pid],
        database: database.pid,
        run: withOwnWallet(limit, (wallet) => logIn(limit.server.url, wallet)),
      },
      ...peers.map(({ name, server, inDatabase, logIn: run }) => ({
        name,
        servers: [server.pid],
        database: inDatabase ? database.pid : null,
        run,
      })),
    ],
  };
}

/** Logins at one time are different people's. */
export function withOwnWallet(
  { server, wallet }: Pick<RunningApp, "server" | "wallet">,
  run: (wallet: TestWallet) => Promise<void>,
) {
  const idle = [wallet];
  return async () => {
    const own = idle.pop() ?? (await registeredWallet(server.url));
    await run(own);
    idle.push(own);
  };
}

/** Single endpoints, compared with the framework alone. */
export async function endpointComparisons(compared: Compared): Promise<Comparison[]> {
  const { apps } = compared;
  const { sid } = await requestCode(new Client(apps[0].server.url));
  return [
    {
      title: "GET /api/svc/check",
      works: [
        ...(await Promise.all(apps.map((app) => checkWork(app, compared)))),
        ...floorReads(compared, sid),
      ],
    },
    {
      title: "GET /api/svc/qr",
      works: [...apps.map((app) => qrWork(app, compared)), ...floorReads(compared, sid)],
    },
    {
      title: "POST /v1/verify",
      works: [
        ...(await Promise.all(apps.map((app) => verifyWork(app, compared)))),
        ...floorVerifications(compared),
      ],
    },
    {
      title: "POST /v1/sessions",
      works: [
        ...(await Promise.all(apps.map((app) => sessionsWork(app, compared)))),
        ...floorWrites(compared, sid),
      ],
    },
    {
      title: "POST /webhook/login, accepted (each with a code of its own, whose cost is taken off)",
      works: [
        ...apps.flatMap((app) => [webhookWork(app, compared), qrWork(app, compared)]),
        ...floorWrites(compared, sid),
      ],
    },
  ];
}

async function checkWork({ name, server }: RunningApp, { database }: Compared): Promise<Work> {
  const { sid } = await requestCode(new Client(server.url));
  return {
    name: `${name} check`,
    servers: [server.pid],
    database: database.pid,
    run: async () => void (await new Client(server.url).expect(200, `/api/svc/check?sid=${sid}`)),
  };
}

function qrWork({ name, server }: RunningApp, { database }: Compared): Work {
  return {
    name: `${name} qr`,
    servers: [server.pid],
    database: database.pid,
    run: async () => void (await new Client(server.url).expect(200, "/api/svc/qr?mode=login")),
  };
}

/** A wallet response needs a challenge that was issued just now, so each asks for a code first, as `qr` does. */
function webhookWork(app: RunningApp, { database }: Compared): Work {
  const { name, server } = app;
  return {
    name: `${name} qr + webhook`,
    servers: [server.pid],
    database: database.pid,
    run: withOwnWallet(app, async (wallet) => {
      const { challenge } = await requestCode(new Client(server.url));
      await new Client(server.url).expect(200, "/webhook/login", { json: wallet.response(challenge) });
    }),
  };
}

const MESSAGE = "svc:login:bench.example:1700000000:abcdefghijklmnopqrstuvwxyzABCDEF";

async function verifyWork(
  { name, server, wallet, tenant }: RunningApp,
  { database }: Compared,
): Promise<Work> {
  const json = { public_key: wallet.publicKey, signature: wallet.sign(MESSAGE), message: MESSAGE };
  const headers = { Authorization: `Bearer ${(await tenant()).apiKey}` };
  return {
    name: `${name} verify`,
    servers: [server.pid],
    database: database.pid,
    async run() {
      const { body } = await new Client(server.url).expect(200, "/v1/verify", { json, headers });
      if (!body.includes('"valid":true')) throw new Error(`verify: ${body}`);
    },
  };
}

async function sessionsWork({ name, server, tenant }: RunningApp, { database }: Compared): Promise<Work> {
  const { apiKey, domain } = await tenant();
  const headers = { Authorization: `Bearer ${apiKey}` };
  return {
    name: `${name} sessions`,
    servers: [server.pid],
    database: database.pid,
    run: async () =>
      void (await new Client(server.url).expect(201, "/v1/sessions", { json: { domain }, headers })),
  };
}

function floorVerifications({ floor }: Compared): Work[] {
  const wallet = new TestWallet();
  const digest = hash("sha256", MESSAGE, "buffer");
  const json = {
    public_key: wallet.publicKey,
    signature: Buffer.from(wallet.signRaw(digest)).toString("hex"),
    message: MESSAGE,
  };
  const name = "bare Next route + raw libsecp256k1";
  const run = async () => {
    const { body } = await new Client(floor.url).expect(200, "/verify", { json });
    if (!body.includes("true")) throw new Error(`${name}: ${body}`);
  };
  return [{ name, servers: [floor.pid], database: null, run }];
}

function floorReads({ floor, database }: Compared, sid: string): Work[] {
  const pids = { servers: [floor.pid], database: database.pid };
  const get = (path: string) => async () => void (await new Client(floor.url).expect(200, path));
  return [
    { name: "bare Next route", ...pids, run: get("/bare") },
    { name: "one Prisma findUnique", ...pids, run: get(`/query?sid=${sid}`) },
  ];
}

function floorWrites({ floor, database }: Compared, sid: string): Work[] {
  const pids = { servers: [floor.pid], database: database.pid };
  const json = { ...new TestWallet().response("svc:login:localhost:0:0"), sid };
  const post = (path: string) => async () => void (await new Client(floor.url).expect(200, path, { json }));
  return [
    { name: "bare Next route", ...pids, run: post("/bare") },
    { name: "one Prisma findUnique", ...pids, run: post("/query") },
  ];
}
