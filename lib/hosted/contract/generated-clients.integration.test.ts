import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Customer, newCustomer, newDomainName } from "#e2e/support/customer.ts";
import { databaseUrl, url } from "#e2e/support/test-apps.ts";
import { installPackages, runTool } from "#tools/kit/run-tool.ts";
import { API_BASE_PATHS } from "./tenant.ts";
import { SIGNATURE_EXAMPLE } from "./verify.ts";

/**
 * No generator on npm creates a complete client for a language other than TypeScript, so the Python client combines
 * generated classes with the standard library (docs/dependencies.md).
 */

const ROOT = join(import.meta.dirname, "..", "..", "..");
const CLIENTS = join(ROOT, "e2e", "clients");
/** Installed separately, because they are large and only this test needs them. */
const GENERATORS = join(ROOT, ".data", "client-generators");
const PACKAGES = ["orval@8.38.0", "quicktype-core@26.0.0"];

let folder: string;
let document: { components: { schemas: object } };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "svc-clients-"));
  document = await (await fetch(`${url}${API_BASE_PATHS.test}/openapi.json`)).json();
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
  await installPackages(GENERATORS, PACKAGES);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const generator = (path: string) => join(GENERATORS, "node_modules", path);

/** A client's environment variables, and the results that it must print. */
async function newTask() {
  const customer: Customer = await newCustomer(url, databaseUrl);
  const domain = newDomainName();
  const variables = { API_KEY: customer.key, DOMAIN: domain, SIGNATURE: JSON.stringify(SIGNATURE_EXAMPLE) };
  const found = {
    refused: "domain_already_registered",
    unauthorized: "invalid_api_key",
    domains: [domain],
    delegation: "unchecked",
    kind: "test",
    deliveries: 1,
    body: "test",
    waits: "string",
    listed: true,
    valid: true,
  };
  return { variables, found };
}

test("calls every operation with orval's TypeScript client in strict mode", async () => {
  const output = { target: "api.ts", client: "fetch", baseUrl: url + API_BASE_PATHS.test };
  const config = { api: { input: { target: "openapi.json" }, output } };
  writeFileSync(join(folder, "orval.config.mjs"), `export default ${JSON.stringify(config)}`);
  await runTool(process.execPath, [generator("orval/dist/bin/orval.mjs")], { cwd: folder });
  copyFileSync(join(CLIENTS, "use-client.ts"), join(folder, "use-client.ts"));
  const compilerOptions = {
    ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, allowImportingTsExtensions: true },
    ...{ module: "nodenext", target: "esnext", lib: ["esnext", "dom"], types: ["node"] },
    typeRoots: [join(ROOT, "node_modules", "@types")],
  };
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  await runTool(process.execPath, [compiler, "--project", folder], { cwd: folder });
  const { variables, found } = await newTask();
  const said = await runTool(process.execPath, ["use-client.ts"], { cwd: folder, variables });
  expect(JSON.parse(said)).toEqual(found);
});

test("reads and writes every operation with quicktype's classes in Python", async () => {
  const quicktype = await import(pathToFileURL(generator("quicktype-core/dist/index.js")).href);
  // Times remain strings, because parsing them would need another Python package.
  class Python extends quicktype.PythonTargetLanguage {
    get stringTypeMapping() {
      return new Map();
    }
  }
  const input = new quicktype.JSONSchemaInput(undefined);
  const definitions = JSON.stringify({ definitions: document.components.schemas });
  const schema = definitions.replaceAll("#/components/schemas/", "#/definitions/");
  await input.addSource({ name: "Api", uris: ["#/definitions/"], schema });
  const inputData = new quicktype.InputData();
  inputData.addInput(input);
  const { lines } = await quicktype.quicktype({
    ...{ inputData, lang: new Python() },
    rendererOptions: { "python-version": "3.7" },
  });
  writeFileSync(join(folder, "models.py"), lines.join("\n"));
  copyFileSync(join(CLIENTS, "use_models.py"), join(folder, "use_models.py"));
  const { variables, found } = await newTask();
  const said = await runTool("python3", ["use_models.py"], { cwd: folder, variables });
  expect(JSON.parse(said)).toEqual(found);
});
