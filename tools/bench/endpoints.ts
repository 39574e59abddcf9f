import { Client } from "../kit/client.ts";
import { registerWallet, requestCode } from "../kit/login.ts";
import { TestWallet } from "../kit/test-wallet.ts";
import { type BenchTask, withPersonPerRun } from "./measure.ts";
import type { BenchServer, BenchServers, RunningApp } from "./servers.ts";

/** `prepare` creates what the request needs, and is not measured. */
type Ask = { name: string; prepare(app: RunningApp): Promise<BenchTask["run"]> };

const CHECK: Ask = {
  name: "check",
  async prepare({ url }) {
    const { sid } = await requestCode(new Client(url));
    return () => new Client(url).expect(200, `/api/svc/check?sid=${sid}`);
  },
};
const QR: Ask = {
  name: "qr",
  prepare:
    async ({ url }) =>
    () =>
      new Client(url).expect(200, "/api/svc/qr?mode=login"),
};
const VERIFY: Ask = {
  name: "verify",
  async prepare({ url, wallet, tenant }) {
    const json = { public_key: wallet.publicKey, signature: wallet.sign(MESSAGE), message: MESSAGE };
    const { headers } = await tenant();
    return async () => {
      const { body } = await new Client(url).expect(200, "/v1/verify", { json, headers });
      if (!body.includes('"valid":true')) throw new Error(`verify: ${body}`);
    };
  },
};
const SESSIONS: Ask = {
  name: "sessions",
  async prepare({ url, tenant }) {
    const { domain, headers } = await tenant();
    return () => new Client(url).expect(201, "/v1/sessions", { json: { domain }, headers });
  },
};
/** Each wallet response needs a new challenge, so each run first requests a code, as the task `qr` does. */
const WEBHOOK: Ask = {
  name: "qr + webhook",
  prepare: async ({ url }) =>
    withPersonPerRun(
      () => registerWallet(url),
      async (wallet) => {
        const { challenge } = await requestCode(new Client(url));
        await new Client(url).expect(200, "/webhook/login", { json: wallet.response(challenge) });
      },
    ),
};
const MESSAGE = "svc:login:bench.example:1700000000:abcdefghijklmnopqrstuvwxyzABCDEF";

type Floor = (compared: BenchServers, sid: string) => BenchTask[];

const ENDPOINTS: readonly { title: string; asks: Ask[]; floor: Floor }[] = [
  { title: "GET /api/svc/check", asks: [CHECK], floor: floorReads },
  { title: "GET /api/svc/qr", asks: [QR], floor: floorReads },
  { title: "POST /v1/verify", asks: [VERIFY], floor: floorVerifications },
  { title: "POST /v1/sessions", asks: [SESSIONS], floor: floorWrites },
  {
    title: "POST /webhook/login, accepted (each with a code of its own, whose cost is taken off)",
    asks: [WEBHOOK, QR],
    floor: floorWrites,
  },
];

/** Ratios compare each workload with the first one. */
type Comparison = { title: string; works(): Promise<readonly BenchTask[]> };

/** First the complete logins, then the single endpoints. */
export function planComparisons(compared: BenchServers): Comparison[] {
  const { apps, limit, database } = compared;
  const workOf = ({ pid }: BenchServer, name: string, run: BenchTask["run"]): BenchTask => {
    return { name, servers: [pid], database: database.pid, run };
  };
  return [
    {
      title: "Whole logins, until the browser holds a session",
      works: async () => [...apps, limit].map((server) => workOf(server, server.name, server.logIn)),
    },
    ...ENDPOINTS.map(({ title, asks, floor }) => ({
      title,
      async works() {
        const { sid } = await requestCode(new Client(apps[0].url));
        const tasks: BenchTask[] = [];
        for (const app of apps) {
          for (const { name, prepare } of asks) {
            tasks.push(workOf(app, `${app.name} ${name}`, await prepare(app)));
          }
        }
        return [...tasks, ...floor(compared, sid)];
      },
    })),
  ];
}

function floorReads(compared: BenchServers, sid: string): BenchTask[] {
  return floorWorks(compared, `/query?sid=${sid}`);
}

function floorWrites(compared: BenchServers, sid: string): BenchTask[] {
  return floorWorks(compared, "/query", { ...new TestWallet().response("svc:login:localhost:0:0"), sid });
}

function floorWorks({ floor, database }: BenchServers, query: string, json?: unknown): BenchTask[] {
  const names = { "bare Next route": "/bare", "one Prisma findUnique": query };
  return Object.entries(names).map(([name, path]) => ({
    ...{ name, servers: [floor.pid], database: database.pid },
    run: () => new Client(floor.url).expect(200, path, { json }),
  }));
}

function floorVerifications({ floor }: BenchServers): BenchTask[] {
  const wallet = new TestWallet();
  const { r, s } = wallet.scalars(MESSAGE);
  const signature = [r, s].map((scalar) => scalar.toString(16).padStart(64, "0")).join("");
  const json = { public_key: wallet.publicKey, signature, message: MESSAGE };
  const name = "bare Next route + raw libsecp256k1";
  const run = async () => {
    const { body } = await new Client(floor.url).expect(200, "/verify", { json });
    if (!body.includes("true")) throw new Error(`${name}: ${body}`);
  };
  return [{ name, servers: [floor.pid], database: null, run }];
}
