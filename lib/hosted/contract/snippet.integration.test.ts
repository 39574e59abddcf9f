import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { startReceiver } from "#tools/kit/receiver.ts";
import { OPERATIONS } from "./operations.ts";
import { createExampleRequest } from "./reference.ts";
import { type ApiRequest, formatSnippet, SNIPPET_LANGUAGES, type SnippetLanguage } from "./snippet.ts";

const FILES: Record<SnippetLanguage, [program: string, file: string]> = {
  curl: ["/bin/sh", "example.sh"],
  node: [process.execPath, "example.mjs"],
  python: ["python3", "example.py"],
};

// Python might not be installed.
const runnable = SNIPPET_LANGUAGES.filter(
  (name) => spawnSync(FILES[name][0], ["--version"]).error === undefined,
);

/**
 * The examples run unchanged in a new folder. Returns a function that runs an example and returns its output.
 * @param curlrc settings for curl in addition to the example's
 */
function startExamples(language: SnippetLanguage, key: string, curlrc: string) {
  const folder = mkdtempSync(join(tmpdir(), "svc-snippets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, ".curlrc"), curlrc);
  const [program, file] = FILES[language];
  const env = { ...process.env, SVC_API_KEY: key, CURL_HOME: folder, PYTHONIOENCODING: "utf-8" };
  return async (code: string): Promise<string> => {
    writeFileSync(join(folder, file), code);
    return (await promisify(execFile)(program, [file], { cwd: folder, env })).stdout;
  };
}

test.each(runnable)(
  "sends any body unchanged with the code that the API reference shows: %s",
  async (language) => {
    const server = await startReceiver("127.0.0.1", 0, (response) =>
      response.writeHead(200, { "Content-Type": "application/json" }).end('{"text":"ü"}'),
    );
    onTestFinished(() => server.close());
    const request: ApiRequest = {
      url: `${server.url}/v1/x?a=1&b='2'`,
      method: "POST",
      body: {
        text: 'it\'s $HOME `id` %s {x} "quoted" \\ & % more\n\u0000\u2028ü🔑',
        "two words": [1.5, true, false, null, {}, []],
        inner: { list: ["a", { b: -1 }] },
      },
      headers: { "Idempotency-Key": 'it\'s "mine"' },
    };
    const runExample = startExamples(language, "svc_test_k", "");
    expect(await runExample(formatSnippet(language, request))).toContain("ü");
    const [sent, ...more] = server.received;
    expect(more).toEqual([]);
    expect(sent).toMatchObject({
      method: "POST",
      headers: { authorization: "Bearer svc_test_k", "idempotency-key": 'it\'s "mine"' },
    });
    expect(decodeURIComponent(sent?.path ?? "")).toBe("/v1/x?a=1&b='2'");
    expect(JSON.parse(String(sent?.body))).toEqual(request.body);
  },
);

/** These operations must run first, because the others need what they create. LAST deletes the domain. */
const FIRST = ["createDomain", "createSession", "sendTestEvent"];
const LAST = "deleteDomain";
const rank = ({ id }: { id: string }) =>
  FIRST.includes(id) ? FIRST.indexOf(id) - FIRST.length : Number(id === LAST);
const ordered = OPERATIONS.toSorted((one, other) => rank(one) - rank(other));
/**
 * In the other languages, one template generates all examples, so these operations are enough: they have a request
 * body, no request body, or no response body.
 */
const SHAPES = [...FIRST, "listDomains", LAST];

test.each(runnable)(
  "gets the documented response to each example in the API reference: %s",
  async (language) => {
    const operations = ordered.filter(({ id }) => language === "curl" || SHAPES.includes(id));
    const customer = await newCustomer(url, databaseUrl);
    // Makes curl print the status, as the other two languages do.
    const curlrc = 'silent\noutput = "/dev/null"\nwrite-out = "%{http_code}"\n';
    const runExample = startExamples(language, customer.key, curlrc);

    /** The tenant's newest ids, for the placeholders. */
    const idsOf = async () => ({
      DOMAIN_ID: (await (await customer.get("/domains")).json()).domains[0]?.id,
      SESSION_ID: (await (await customer.get("/sessions")).json()).sessions[0]?.id,
      DELIVERY_ID: (await (await customer.get("/deliveries")).json()).deliveries[0]?.id,
    });

    const statuses: Record<string, number> = {};
    let ids: Record<string, string> = {};
    for (const operation of operations) {
      const code = formatSnippet(language, createExampleRequest(operation, `${url}/sandbox/v1`));
      const printedStatus = await runExample(code.replace(/[A-Z]+_ID/g, (name) => ids[name] ?? name));
      statuses[operation.id] = Number.parseInt(printedStatus, 10);
      if (FIRST.includes(operation.id)) ids = await idsOf();
      if (operation.id === "createDomain") {
        await query("UPDATE domain SET verified_at = now() WHERE id = $1", [ids.DOMAIN_ID]);
      }
    }
    expect(statuses).toEqual(Object.fromEntries(operations.map(({ id, success }) => [id, success.status])));
  },
);
