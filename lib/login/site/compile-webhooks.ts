import { processSingleton } from "../process/state.ts";

/** A code that waits longer for the compiler than this is given out. */
const COMPILED_WITHIN_MS = 60_000;

const asked = processSingleton("compiled-webhooks", () => ({ once: null as Promise<unknown> | null }));

/**
 * `next dev` compiles a route when it is first asked. For a webhook that would be a wallet's answer, and its code would
 * be over before it is read. So the first code of the process waits until the webhooks are there.
 * @param url of a request to this server
 */
export async function compileWebhooks(url: string, paths: readonly string[]): Promise<void> {
  if (process.env.NODE_ENV !== "development") return;
  asked().once ??= Promise.allSettled(
    paths.map((path) =>
      fetch(new URL(path, url), { method: "HEAD", signal: AbortSignal.timeout(COMPILED_WITHIN_MS) }),
    ),
  );
  await asked().once;
}
