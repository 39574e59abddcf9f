import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fetchStatus } from "./waiting.ts";

const START_DEADLINE_MS = 180_000;
const STOP_DEADLINE_MS = 60_000;
/** Short, because it limits how exactly a start is measured. */
const LOOK_MS = 15;
/** Another program can take a port first. */
const PORTS_TRIED = 5;
const OUTPUT_END_CHARACTERS = 4_000;
const PORT_TAKEN = /is taken by another program|EADDRINUSE/;

export type RunningServer = {
  url: string;
  pid: number;
  process: ChildProcess;
  output(): string;
  /** Stops the server as an operator would. Resolves when the server has exited and all of its output has arrived. */
  stop(signal?: NodeJS.Signals): Promise<void>;
};

export type ServerCommand = {
  /** The program to run. The default is Node. */
  program?: string;
  args: readonly string[];
  cwd: string;
  /** The port to listen on. The default is a free port. */
  port?: number;
  env(url: string, port: number): Record<string, string>;
  /** When the server counts as ready: it responds at this path with a status below 500, or it has printed this text. */
  ready: { path: string } | { words: string };
};

/** @throws {Error} with the server's output, if it ends before it is ready or takes too long */
export async function startServer(command: ServerCommand): Promise<RunningServer> {
  if (command.port !== undefined) return startAt(command.port, command);
  for (let attempt = 1; ; attempt++) {
    try {
      return await startAt(await findFreePort(), command);
    } catch (error) {
      if (attempt === PORTS_TRIED || !PORT_TAKEN.test(String(error))) throw error;
    }
  }
}

async function startAt(port: number, command: ServerCommand): Promise<RunningServer> {
  const { program = process.execPath, args, cwd, env, ready } = command;
  const url = `http://localhost:${port}`;
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd,
    env: {
      ...{ PATH, HOME, NODE_COMPILE_CACHE },
      ...{ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", PORT: String(port) },
      ...env(url, port),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output += chunk;
    // A measured server prints for minutes, but nothing searches its output.
    if ("path" in ready) output = output.slice(-OUTPUT_END_CHARACTERS);
  };
  const exit = once(child, "close");
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);

  async function stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    child.kill(signal);
    let hangs = false;
    const deadline = setTimeout(() => {
      hangs = true;
      child.kill("SIGKILL");
    }, STOP_DEADLINE_MS);
    // The last lines of a server's output can arrive after the server has exited.
    await exit;
    clearTimeout(deadline);
    if (hangs) throw new Error(`it did not stop:\n${output}`);
  }

  const isReady = async () =>
    "path" in ready ? ((await fetchStatus(url + ready.path)) ?? 500) < 500 : output.includes(ready.words);
  while (!(await isReady())) {
    if (
      child.exitCode !== null ||
      child.signalCode !== null ||
      performance.now() - startedAt > START_DEADLINE_MS
    ) {
      await stop("SIGKILL");
      throw new Error(`${args.join(" ")} did not start, exit code ${child.exitCode}:\n${output}`);
    }
    await sleep(LOOK_MS);
  }
  return { url, pid: child.pid ?? 0, process: child, output: () => output, stop };
}

export async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, undefined);
  server.close();
  await once(server, "close");
  return port;
}

/** Returns the port, by default a free one. */
export async function listen(
  server: Server,
  host: string | undefined = "127.0.0.1",
  port = 0,
): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  // The address of a server that listens on TCP always has this type.
  return (server.address() as AddressInfo).port;
}
