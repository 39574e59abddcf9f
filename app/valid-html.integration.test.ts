import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { PAGES } from "#e2e/support/endpoints.ts";
import { url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { signInBrowser } from "#tools/kit/login.ts";
import { installPackages } from "#tools/kit/run-tool.ts";

/** Installed separately, because only this test needs it (docs/dependencies.md). */
const VALIDATOR = join(import.meta.dirname, "..", ".data", "html-validator");
const PACKAGES = ["html-validate@11.21.1"];

type Message = { ruleId: string; message: string; line: number; selector: string | null };
type Report = { results: { messages: Message[] }[] };

let validate: (html: string) => Promise<Report>;

beforeAll(async () => {
  await installPackages(VALIDATOR, PACKAGES);
  const path = join(VALIDATOR, "node_modules", "html-validate", "dist", "esm", "index.js");
  const { HtmlValidate, StaticConfigLoader } = await import(pathToFileURL(path).href);
  const loader = new StaticConfigLoader({ root: true, extends: ["html-validate:standard"] });
  const validator = new HtmlValidate(loader);
  validate = (html) => validator.validateString(html);
});

async function problemsOf(response: Response): Promise<string[]> {
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  const html = await response.text();
  const { results } = await validate(html);
  const problems = results.flatMap(({ messages }) =>
    messages
      // Ignores Next.js's own shell, in which a script shows the "not found" page.
      .filter(({ selector }) => selector !== "#__next_error__")
      .map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector}`),
  );
  // The validator does not check that every <dt> is followed by a <dd>.
  const termsWithoutText = html.match(/<dt[^>]*>(?:(?!<dt|<\/dt>).)*<\/dt>\s*<\/(?:div|dl)>/gs) ?? [];
  return [...problems, ...termsWithoutText.map((term) => `a term without a description: ${term}`)];
}

const asPerson = { headers: { Accept: "text/html" } };

test("serves valid HTML on every page to signed-in and signed-out visitors", async () => {
  const { browser } = await signInBrowser(url);
  await browser.post("/api/console/test/keys", { name: "Shop" });
  await browser.post("/api/console/test/test-logins", {});
  const pages = [...PAGES.map(({ path }) => path), "/docs/guides/api", "/docs/guides/protocol", "/nothing"];
  const invalid: Record<string, string[]> = {};
  for (const path of pages) {
    const stranger = new Client(url);
    // Only the header depends on the user, and it is the same on all pages of the documentation, so `/docs` is enough.
    for (const reader of path.startsWith("/docs/") ? [stranger] : [browser, stranger]) {
      const response = await reader.fetch(path, asPerson);
      if (response.status >= 300 && response.status < 400) continue;
      const problems = await problemsOf(response);
      if (problems.length > 0) invalid[path] = [...new Set(problems)];
    }
  }
  expect(invalid).toEqual({});
});

test.each([
  "/api/auth/signout",
  "/webhook/login?s=x&c=y",
  "/webhook/undo?token=x",
  "/api/account/export",
  "/login/added?sid=x",
])("serves valid HTML on the plain pages: %s", async (path) => {
  expect(await problemsOf(await new Client(url).fetch(path, asPerson))).toEqual([]);
});
