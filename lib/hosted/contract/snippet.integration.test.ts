import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { OPERATIONS } from "./operations.ts";
import { exampleRequest } from "./reference.ts";
import { LANGUAGES, type Language, snippetOf } from "./snippet.ts";

const run = promisify(execFile);

const FILES: Record<Language, [program: string, file: string]> = {
  curl: ["/bin/sh", "example.sh"],
  node: [process.execPath, "example.mjs"],
  python: ["python3", "example.py"],
};

/** A domain and what belongs to it come first, and its end last. */
const FIRST = ["createDomain", "createSession", "sendTestEvent"];
const LAST = "deleteDomain";
const rank = ({ id }: { id: string }) =>
  FIRST.includes(id) ? FIRST.indexOf(id) - FIRST.length : Number(id === LAST);
const operations = OPERATIONS.toSorted((one, other) => rank(one) - rank(other));

// A machine may lack Python.
const runnable = LANGUAGES.filter((name) => spawnSync(FILES[name][0], ["--version"]).error === undefined);

test.each(runnable)(
  "every example of the reference in %s is answered as the reference says",
  async (language) => {
    const folder = mkdtempSync(join(tmpdir(), "svc-snippets-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // curl tells the status as the other two do.
    writeFileSync(join(folder, ".curlrc"), 'silent\noutput = "/dev/null"\nwrite-out = "%{http_code}"\n');
    const customer = await newCustomer(url, databaseUrl);
    const [program, file] = FILES[language];

    /** What a reader puts in for a placeholder: the newest of the tenant's own. */
    const idsOf = async () => ({
      DOMAIN_ID: (await (await customer.get("/domains")).json()).domains[0]?.id,
      SESSION_ID: (await (await customer.get("/sessions")).json()).sessions[0]?.id,
      DELIVERY_ID: (await (await customer.get("/deliveries")).json()).deliveries[0]?.id,
    });

    const answered: Record<string, number> = {};
    let ids: Record<string, string> = {};
    for (const operation of operations) {
      const code = snippetOf(language, exampleRequest(operation, `${url}/sandbox/v1`));
      writeFileSync(
        join(folder, file),
        code.replace(/[A-Z]+_ID/g, (name) => ids[name] ?? name),
      );
      const env = { ...process.env, SVC_API_KEY: customer.key, CURL_HOME: folder };
      const { stdout } = await run(program, [file], { cwd: folder, env });
      answered[operation.id] = Number.parseInt(stdout, 10);
      if (FIRST.includes(operation.id)) ids = await idsOf();
      if (operation.id === "createDomain") {
        await query("UPDATE domain SET verified_at = now() WHERE id = $1", [ids.DOMAIN_ID]);
      }
    }
    expect(answered).toEqual(Object.fromEntries(OPERATIONS.map(({ id, success }) => [id, success.status])));
  },
);
