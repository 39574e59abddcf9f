import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const START_DEADLINE_MS = 60_000;
const LOOK_MS = 15;

/** A server that is measured. */
export type ServerProcess = {
  url: string;
  pid: number;
  /** From its start to its first answer. */
  startMs: number;
  stop(): Promise<void>;
};

/**
 * Starts a server in a process of its own and waits for its first answer.
 * @param command.path what is asked for until it answers with anything below 500
 */
export async function startServer(command: {
  args: string[];
  cwd: string;
  path: string;
  env: (url: string, port: number) => Record<string, string>;
}): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const started = performance.now();
  // `npm test` has compiled it before, `npm run bench` has not.
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, command.args, {
    cwd: command.cwd,
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      ...command.env(url, port),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-4000);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  while (!(await answers(url + command.path))) {
    if (child.exitCode !== null || performance.now() - started > START_DEADLINE_MS) {
      child.kill("SIGKILL");
      throw new Error(`${command.args.join(" ")} did not start:\n${output}`);
    }
    await sleep(LOOK_MS);
  }
  return { url, pid: child.pid ?? 0, startMs: performance.now() - started, stop: () => stop(child) };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: "manual" });
    await response.arrayBuffer();
    return response.status < 500;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
