import type { Browser } from "../browser.ts";
import { fail } from "../check.ts";
import { expectEqual, expectStatus } from "../expect-status.ts";
import type { Answer, HttpClient, Outgoing } from "../http-client.ts";
import { ofAllAnswers } from "./errors.ts";
import type { Answered, Flow } from "./flow.ts";

/** Section 2.3: the headers of answers for caches, browsers and support. */

export const ALLOW_ORIGIN = "access-control-allow-origin";
export const FOREIGN = { Origin: "https://wallet.example" };

export const noStore = (of: (request: Outgoing) => boolean = () => true) =>
  ofAllAnswers((site) => {
    for (const { answer, request } of site.ownAnswers()) {
      const given = answer.headers["cache-control"] ?? "";
      if (request.method === "OPTIONS" || !of(request) || /\bno-store\b/.test(given)) continue;
      fail(
        `The ${answer.status} of ${answer.name} has Cache-Control: ${given || "(none)"} instead of no-store.`,
      );
    }
  });

export const ownRequestIds = ofAllAnswers((site) => {
  const seen = new Set<string>();
  for (const { answer } of site.ownAnswers()) {
    const id = answer.headers["x-request-id"];
    if (!id) fail(`The ${answer.status} of ${answer.name} carries no X-Request-Id.`);
    if (seen.has(id)) fail(`Two answers carry the X-Request-Id ${id}.`);
    seen.add(id);
  }
});

export const readByAnyOrigin = ofAllAnswers((site) => {
  for (const { answer } of site.walletAnswers()) expectAnyOrigin(answer);
});

/** Expects that a wallet in a browser may post JSON. @param maxAge the seconds for which browsers may rely on that */
export async function allowsPreflight(site: Flow, paths: readonly string[], maxAge?: string): Promise<void> {
  for (const path of paths) {
    const { headers } = await expectPreflight(site.http, path);
    const given = headers["access-control-max-age"];
    if (maxAge && given !== maxAge)
      fail(`The preflight is good for ${given ?? "no"} seconds instead of ${maxAge}.`);
  }
}

export async function readByNobodyElse(
  browser: Browser,
  paths: readonly string[],
  methods = ["GET"],
): Promise<void> {
  for (const path of paths) {
    for (const method of methods) {
      const { headers, name } = await browser.send({ method, path, headers: FOREIGN });
      expectEqual(headers[ALLOW_ORIGIN], undefined, `Access-Control-Allow-Origin of ${name}`);
    }
  }
}

/** Sends the preflight of a wallet at another origin that wants to post JSON. @throws {Failure} unless it may */
export async function expectPreflight(http: HttpClient, path: string): Promise<Answer> {
  const answer = await http.send({
    ...{ method: "OPTIONS", path },
    headers: {
      ...FOREIGN,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type",
    },
  });
  expectStatus(answer, [200, 204], "a preflight");
  expectAnyOrigin(answer);
  for (const [header, allowed] of [
    ["Access-Control-Allow-Methods", "POST"],
    ["Access-Control-Allow-Headers", "Content-Type"],
  ] as const) {
    const value = answer.headers[header.toLowerCase()] ?? "nothing";
    if (!new RegExp(`\\b${allowed}\\b`, "i").test(value))
      fail(`The preflight has ${header}: ${value}, without ${allowed}.`);
  }
  return answer;
}

export function expectAnyOrigin({ headers, status, name }: Answer): void {
  expectEqual(headers[ALLOW_ORIGIN], "*", `Access-Control-Allow-Origin of the ${status} of ${name}`);
}

export function expectNoCredentials(answers: readonly Pick<Answered, "answer">[]): void {
  for (const { answer } of answers) {
    if (answer.headers["access-control-allow-credentials"] !== undefined)
      fail(`${answer.name} allows credentials.`);
  }
}
