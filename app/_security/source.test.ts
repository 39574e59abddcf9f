import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

const lines = globSync("{app,components,lib,packages}/**/*.{ts,tsx,js}", { cwd: ROOT })
  .filter((file) => !/\.(test|fixture)\.tsx?$/.test(file) && statSync(join(ROOT, file)).isFile())
  .flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .map((text, index) => ({ at: `${file.replaceAll("\\", "/")}:${index + 1}`, text: text.trim() })),
  );

/** Omits files whose path matches `but`. */
function where(pattern: RegExp, but: RegExp = /^$/): string[] {
  return lines
    .filter(({ at, text }) => pattern.test(text) && !but.test(at))
    .map(({ at, text }) => `${at} ${text}`);
}

describe("the source code", () => {
  test("contains more than 5,000 lines to check (control)", () =>
    expect(lines.length).toBeGreaterThan(5_000));

  test("never inserts raw HTML or evaluates strings as code", () => {
    expect(where(/dangerouslySetInnerHTML|\.(inner|outer)HTML|insertAdjacentHTML|document\.write/)).toEqual(
      [],
    );
    expect(where(/\beval\(|new Function\(|setTimeout\(\s*["'`]/)).toEqual([]);
  });

  test("passes every value to SQL as a parameter", () => {
    // This file passes composed statements and their parameters to Prisma.
    expect(
      where(/\$(query|execute)RawUnsafe|Prisma\.raw/, /^packages\/login\/database\/database\.ts/),
    ).toEqual([]);
  });

  test("never compares secrets with ===", () => {
    const name = String.raw`\w*(?:[sS]ecret|[tT]oken|[sS]ignature|[hH]mac|[dD]igest|Hash|apiKey|password)`;
    const compared = where(
      new RegExp(String.raw`(?:\b${name}\s*[!=]==\s*(?!null|undefined|"")[\w."'\`]|[!=]==\s*${name}\b)`),
    );
    // Values that a domain's owner publishes are not secret, and the conformance kit compares only secrets sent to it.
    const open =
      /^(lib\/hosted\/domains\/(verify-domain|explain-token-mismatch)\.ts|packages\/conformance\/)/;
    expect(compared.filter((line) => !open.test(line))).toEqual([]);
  });

  test("uses a CSPRNG for all randomness except the delays between retries", () => {
    const delays = /^(lib\/hosted\/events\/attempt-delivery|packages\/login\/database\/run-migrations)\.ts/;
    expect(where(/Math\.random\(/, delays)).toEqual([]);
  });

  test("truncates every header before parsing it", () => {
    // Wallets, the conformance kit and pages read response headers. The metrics token is compared as a whole. Each
    // proxy appends to X-Forwarded-For, so only the end of that header is trusted.
    const exceptions =
      /^(packages\/(wallet|conformance)\/|packages\/login\/node\/|components\/|app\/(wallet\/sw\.js|metrics)\/)/;
    const parsed = where(/headers\.get\("(accept|authorization|content-type|x-forwarded-for)"/, exceptions);
    expect(parsed.filter((line) => !line.includes("answer.headers"))).toEqual([]);
  });

  test("enables CORS only in the files that answer wallets", () => {
    // The conformance kit also runs its own sites, and sends requests to other sites.
    const openingTag =
      /^(scripts\/server\/gate|packages\/login\/gate\/refusal|packages\/login\/plugins\/customer\/customer|packages\/login\/site\/answer-login)\.ts|^packages\/conformance\//;
    expect(where(/"Access-Control-[A-Za-z-]+"/, openingTag)).toEqual([]);
  });

  test("never logs a request's headers, body or URL", () => {
    expect(where(/log\(\)\.\w+\(\{[^}]*\b(headers|body|cookies?|url|request)\b/)).toEqual([]);
  });
});
