import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { startReceiver } from "#scripts/kit/receiver.ts";
import { type ApiRequest, LANGUAGES, type Language, snippetOf } from "./snippet.ts";

const run = promisify(execFile);

/** How an example is run as it stands. */
const COMMANDS: Record<Language, (code: string) => [string, string[]]> = {
  curl: (code) => ["/bin/sh", ["-c", code]],
  node: (code) => [process.execPath, ["--input-type=module", "-e", code]],
  python: (code) => ["python3", ["-c", code]],
};

/** What a server gets of an example that is run, and what the example prints. */
async function sendWith(language: Language, request: Omit<ApiRequest, "url"> & { path: string }) {
  const server = await startReceiver("127.0.0.1", 0, (response) =>
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"text":"ü"}'),
  );
  const url = server.url + request.path;
  const [command, args] = COMMANDS[language](snippetOf(language, { ...request, url }));
  const env = { SVC_API_KEY: "svc_test_k", PYTHONIOENCODING: "utf-8" };
  const { stdout } = await run(command, args, { env: { ...process.env, ...env } });
  await server.close();
  const received = server.received.map(({ body, ...more }) => ({ ...more, body: body.toString() }));
  return { received, stdout };
}

const has = (language: Language) => spawnSync(COMMANDS[language]("")[0], ["--version"]).error === undefined;

// A machine may lack Python.
describe.each(LANGUAGES.filter(has))("an example for %s", (language) => {
  test("sends the body as it is, whatever characters it has, with the key and the headers", async () => {
    const body = {
      text: 'it\'s $HOME `id` %s {x} "quoted" \\ & % more\n\u0000\u2028ü🔑',
      "two words": [1.5, true, false, null, {}, []],
      inner: { list: ["a", { b: -1 }] },
    };
    const { received, stdout } = await sendWith(language, {
      method: "POST",
      path: "/v1/x?a=1&b='2'",
      body,
      headers: { "Idempotency-Key": 'it\'s "mine"' },
    });
    expect(received).toMatchObject([
      {
        method: "POST",
        headers: { authorization: "Bearer svc_test_k", "idempotency-key": 'it\'s "mine"' },
      },
    ]);
    expect(decodeURIComponent(received[0]?.path ?? "")).toBe("/v1/x?a=1&b='2'");
    expect(JSON.parse(received[0]?.body ?? "")).toEqual(body);
    expect(stdout).toContain("ü");
  });
});
