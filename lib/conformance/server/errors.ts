import { type Check, fail } from "../check.ts";
import type { Answer } from "../http-client.ts";
import { expectStatus, type Run, type Site } from "./site.ts";

/** Section 2.1: errors have one shape and tell nothing of what is inside. */

/** Codes by status; a site may have more statuses, and none of these with another code. */
export const CODES: Record<number, readonly string[]> = {
  400: ["invalid_request", "invalid_signature"],
  401: ["invalid_api_key", "not_signed_in", "invalid_recovery_code"],
  403: ["approval_required", "forbidden"],
  404: ["user_not_found", "session_not_found", "domain_not_found", "not_found"],
  405: ["method_not_allowed"],
  406: ["invalid_signature"],
  408: ["challenge_expired"],
  409: [
    ...["session_already_authenticated", "domain_already_registered", "idempotency_conflict"],
    ...["credential_taken", "last_credential", "domains_registered"],
  ],
  410: ["session_expired"],
  413: ["payload_too_large"],
  414: ["uri_too_long"],
  415: ["unsupported_media_type"],
  422: ["domain_not_registered", "domain_not_verified", "domain_verification_failed", "quota_exceeded"],
  429: ["rate_limited"],
  431: ["headers_too_large"],
  500: ["internal_error"],
  503: ["service_unavailable"],
};

/** What no error tells: a stack, a path of the server, SQL or the names of what it is made of. */
export const INNER = [
  /\n\s+at \S+ ?\(/,
  /\bat (async )?[\w.]+ \(?(file:|node:|\/)/,
  /node_modules|\.next\/|\/(usr|home|var|srv|app|opt|work)\/\w+/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.+\b(FROM|VALUES|SET|WHERE)\b/i,
  /\b(PrismaClient\w*|SQLITE_\w+|ECONNREFUSED|TypeError|ReferenceError|RangeError|SyntaxError)\b/,
  /\b(syntax error at or near|violates \w+ constraint|relation "\w+" does not exist)/i,
];

/** The answers of the login's own endpoints. */
export function loginAnswers({ run, target }: Pick<Site, "run" | "target">): Run["answers"] {
  const own = [
    target.qr,
    target.check,
    target.events,
    `${target.webhook}/login`,
    `${target.webhook}/register`,
  ];
  return run.answers.filter(
    ({ request }) => own.includes(request.path.split("?")[0] ?? "") && !request.hostile,
  );
}

/** Makes sure that there is something to judge where a check runs alone. */
export async function provokeErrors(site: Site): Promise<void> {
  const refused = loginAnswers(site).filter(({ answer }) => answer.status >= 400);
  if (refused.some(({ request }) => request.method === "POST") && refused.length > 3) return;
  await site.post("login", "{");
  await site.post("login", { ...site.response(), challenge: "svc:login:x" });
  await site.http.send({ path: site.target.check });
  await site.check("A".repeat(40));
}

export function isErrorBody(
  body: unknown,
): body is { error: { code: string; message: string; details: object } } {
  const { error } = (body ?? {}) as { error?: Record<string, unknown> };
  const { code, message, details } = error ?? {};
  const isObject = typeof details === "object" && details !== null && !Array.isArray(details);
  return typeof code === "string" && typeof message === "string" && message !== "" && isObject;
}

export function expectErrorBody(answer: Answer, what: string): void {
  if (!/^application\/json\b/.test(answer.headers["content-type"] ?? "")) {
    fail(
      `${what}: the ${answer.status} of ${answer.name} is ${answer.headers["content-type"] ?? "of no type"}.`,
    );
  }
  if (!isErrorBody(answer.json)) {
    fail(`${what}: the ${answer.status} of ${answer.name} is ${answer.text.slice(0, 200)}.`);
  }
}

export const ERROR_CHECKS: readonly Check<Site>[] = [
  {
    id: "2.1-error-body",
    level: "MUST",
    proves: "Every refusal is JSON: `error` with `code`, `message` and `details`, which is an object.",
    cause: "Some refusals are the framework's own, or a library's.",
    looksBack: true,
    async run(site) {
      await provokeErrors(site);
      for (const { answer, request } of loginAnswers(site)) {
        if (answer.status >= 400 && request.method !== "HEAD") expectErrorBody(answer, "a refusal");
      }
    },
  },
  {
    id: "2.1-error-code",
    level: "MUST",
    proves: "The code in a refusal is the one that belongs to its status.",
    cause: "Codes and statuses are written at each refusal instead of in one table.",
    looksBack: true,
    async run(site) {
      await provokeErrors(site);
      for (const { answer } of loginAnswers(site)) {
        const codes = CODES[answer.status];
        if (!codes || !isErrorBody(answer.json)) continue;
        const { code } = answer.json.error;
        if (!codes.includes(code)) fail(`${answer.name} answers ${answer.status} with the code ${code}.`);
      }
    },
  },
  {
    id: "2.1-which-404",
    level: "MUST",
    proves: "A 404 says what is missing: `user_not_found` at the webhook, `session_not_found` at the status.",
    cause: "One code for every 404, so a wallet cannot tell a missing account from a wrong address.",
    async run(site) {
      const code = await site.issue(site.browser());
      const unknownKey = await site.post("login", { ...site.response(code.challenge) });
      const unknownSid = await site.check("A".repeat(40));
      for (const [answer, expected] of [
        [unknownKey, "user_not_found"],
        [unknownSid, "session_not_found"],
      ] as const) {
        if (answer.status !== 404 || !isErrorBody(answer.json)) continue;
        const { code: given } = answer.json.error;
        if (given !== expected)
          fail(`${answer.name} answers 404 with the code ${given} instead of ${expected}.`);
      }
    },
  },
  {
    id: "2.1-tells-nothing-inner",
    level: "MUST",
    proves: "No error holds a stack, SQL, or a path of the server.",
    cause: "The message of an exception is sent to the caller.",
    looksBack: true,
    async run(site) {
      await provokeErrors(site);
      for (const { answer } of site.run.answers) {
        const found = answer.status >= 400 && INNER.find((pattern) => pattern.test(answer.text));
        // Pages name their own scripts, and are another matter.
        if (found && !answer.headers["content-type"]?.startsWith("text/html")) {
          fail(
            `${answer.name} answers ${answer.status} with ${JSON.stringify(found.exec(answer.text)?.[0])}.`,
          );
        }
      }
    },
  },
  {
    id: "2.1-server-fault",
    level: "MUST",
    proves: "Nothing that this run has sent made the site fail: no answer was a 5xx.",
    cause: "An exception that nobody catches: look at the exchange, it is the input that does it.",
    looksBack: true,
    async run(site) {
      await provokeErrors(site);
      const faults = site.run.answers.filter(
        ({ answer, request }) => answer.status >= 500 && !request.hostile,
      );
      const [first] = faults;
      if (first) {
        const sent = String(first.request.body ?? "").slice(0, 200);
        fail(
          `${first.answer.name} answers ${first.answer.status} ${sent && `to ${sent}`} (${faults.length} in all).`,
        );
      }
    },
  },
  {
    id: "2.1-unknown-path",
    level: "MUST",
    proves: "Unknown paths below the login's own are 404 in the same shape.",
    cause: "The framework's own page answers.",
    async run(site) {
      const folder = site.target.qr.slice(0, site.target.qr.lastIndexOf("/"));
      for (const path of [`${folder}/nothing-here`, `${site.target.webhook}/nothing-here`]) {
        const answer = await site.http.send({ path });
        expectStatus(answer, 404, "an unknown path");
        expectErrorBody(answer, "an unknown path");
      }
    },
  },
  {
    id: "2.1-method",
    level: "MUST",
    proves: "Another method gets 405 in the same shape, with `Allow`.",
    cause: "The framework's own 405 has no body, or the method is not looked at.",
    async run(site) {
      const { qr, check } = site.target;
      for (const [method, path] of [
        ["POST", qr],
        ["DELETE", check],
        ["PUT", site.webhook("login")],
      ] as const) {
        const answer = await site.http.send({ method, path });
        expectStatus(answer, 405, `${method} ${path}`);
        expectErrorBody(answer, `${method} ${path}`);
        if (!answer.headers.allow) fail(`${method} ${path} is answered 405 without Allow.`);
      }
    },
  },
];
