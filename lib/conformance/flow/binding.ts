import { createHash } from "node:crypto";
import { Blocked, fail, type Rule, type Rules } from "../check.ts";
import type { Cookie } from "../cookies.ts";
import { expectRefused, expectStatus } from "../expect-status.ts";
import type { LoginCode, LoginSite } from "./flow.ts";

/** Sections 3.1, 4.1 and 6.1: which browser continues which login, the cookie that binds it, and what a page may ask for. */

const COOKIE = "svc-browser";
const LIFETIME_SECONDS = 10 * 60;

/** The cookie that binds the browser to the login. @throws {Blocked} where the answer sets none */
export function bindingOf({ answer: { cookies } }: Pick<LoginCode, "answer">): Cookie {
  const named = cookies.find(({ name }) => name.endsWith(COOKIE));
  const cookie = named ?? cookies.find(({ value }) => value.length >= 16) ?? cookies[0];
  if (!cookie) throw new Blocked("The code's answer sets no cookie.");
  return cookie;
}

/** Every binding cookie of the run. A renewal may leave it as it is; if it writes one, it has to be as good. */
export function bindingsOf({ run }: Pick<LoginSite, "run">): Cookie[] {
  return run.codes.filter(({ answer }) => answer.cookies.length > 0).map(bindingOf);
}

/** What somebody might make a secret from, who knows this text. */
export function hashesOf(text: string): string[] {
  const digest = createHash("sha256").update(text).digest();
  return [digest.toString("hex"), digest.toString("base64url")];
}

/** @throws {Failure} unless the cookie is for the whole site, and not for other hosts */
export function expectWholeSite({ name, attributes }: Cookie): void {
  if (attributes.domain !== undefined)
    fail(
      `The cookie ${name} has Domain=${attributes.domain}, which lets other hosts read it: leave Domain out.`,
    );
  if (attributes.path !== "/") fail(`The cookie ${name} has Path=${attributes.path} instead of /.`);
}

/** Holds for the binding cookie, whenever it was set. @param complain what is wrong, said of the cookie; null for nothing */
function ofEveryBinding(complain: (cookie: Cookie, site: LoginSite) => string | null) {
  return {
    looksBack: true as const,
    async run(site: LoginSite): Promise<void> {
      await site.givenCodes();
      const cookies = bindingsOf(site);
      if (cookies.length === 0) throw new Blocked("No code's answer sets a cookie.");
      for (const cookie of cookies) {
        const complaint = complain(cookie, site);
        if (complaint) fail(`The cookie ${cookie.name} ${complaint}.`);
      }
    },
  };
}

/**
 * What every flow asks of its binding cookie.
 * @param cookie what a flow calls it
 * @param lax what `SameSite=Lax` is good for, where the flow says so
 */
export function bindingCookieChecks(section: string, cookie: string, lax = ""): Rules<LoginSite> {
  return {
    [`${section}-cookie-httponly`]: {
      proves: `The ${cookie} is \`HttpOnly\`: no script reads it.`,
      cause: "The page reads the cookie, or the attribute was forgotten.",
      ...ofEveryBinding(({ attributes }) => (attributes.httponly ? null : "is not HttpOnly")),
    },
    [`${section}-cookie-samesite`]: {
      proves: `The ${cookie} is \`SameSite=Lax\`${lax}.`,
      cause: "`None`, for a frame; or nothing, which browsers read differently.",
      ...ofEveryBinding(({ attributes: { samesite } }) =>
        String(samesite).toLowerCase() === "lax" ? null : `has SameSite=${samesite} instead of Lax`,
      ),
    },
    [`${section}-cookie-secure`]: {
      proves: `On https the ${cookie} is \`Secure\` and has the prefix \`__Host-\`; on http it has neither.`,
      cause: "The site does not know that it is reached by https, since a proxy ends it.",
      ...ofEveryBinding(({ attributes: { secure }, name }, { isSecure }) => {
        if (!isSecure)
          return secure || name.startsWith("__")
            ? 'is Secure, or begins with "__", and cannot be set over http'
            : null;
        if (!secure) return "is not Secure";
        return name.startsWith("__Host-") ? null : "has no prefix __Host-";
      }),
    },
    [`${section}-cookie-lifetime`]: {
      proves: `The ${cookie} lasts ten minutes.`,
      cause:
        "The cookie lasts as long as the browser or a year, and with it what a thief of the device can do.",
      ...ofEveryBinding(({ attributes }) => {
        const age = Number(attributes["max-age"] ?? Number.NaN);
        return age > 0 && age <= LIFETIME_SECONDS ? null : `has Max-Age=${attributes["max-age"]}`;
      }),
    },
    [`${section}-secret`]: {
      proves:
        "The binding secret has 256 bits, is another for every browser, and stands nowhere but in the cookie.",
      cause: "The cookie holds the sid, its hash, or a short random text.",
      async run(site) {
        const codes = await Promise.all(Array.from({ length: 4 }, () => site.issue(site.browser())));
        const values = codes.map((code) => bindingOf(code).value);
        if (new Set(values).size < values.length) fail("Two browsers have the same secret.");
        for (const [index, { sid, challenge, answer }] of codes.entries()) {
          const value = values[index] ?? "";
          const isHex = /^[0-9a-f]+$/i.test(value);
          if (value.length < (isHex ? 64 : 43)) fail(`The secret has ${value.length} characters.`);
          const derived = [sid, challenge].flatMap((text) => [text, ...hashesOf(text)]);
          if (derived.some((text) => value.includes(text)))
            fail("The secret can be told from what the code shows.");
          if (answer.text.includes(value)) fail("The answer's body holds the secret.");
        }
        const prefix = values[0]?.slice(0, 8) ?? "";
        if (values.every((value) => value.startsWith(prefix))) fail("All secrets begin alike.");
      },
    },
  };
}

/** A browser that names its own login gets a new code of it. */
export async function renewsOwn(site: LoginSite): Promise<void> {
  const first = await site.issue();
  const second = await site.issue(first.browser, first.sid);
  if (second.sid !== first.sid) fail("The new code has another sid.");
  if (second.challenge === first.challenge) fail("The new code has the same challenge.");
}

export const renewsNoForeign: Rule<LoginSite> = {
  proves: "A browser that names another browser's login gets a login of its own.",
  cause: "The sid alone continues a login, so a thief renews the victim's codes and binds them to himself.",
  async run(site) {
    const { sid } = await site.issue();
    for (const stranger of [site.browser(), await site.thief()]) {
      if ((await site.issue(stranger, sid)).sid === sid) fail("Another browser continues the login.");
    }
  },
};

/** @param formed a sid that looks like this site's */
export const adoptsNoSid = (formed: (shape: LoginCode) => string): Rule<LoginSite> => ({
  proves: "A sid that the server did not make is never adopted.",
  cause: "An unknown sid is inserted as it came, so that an attacker can fix a victim's.",
  async run(site) {
    for (const sid of ["attacker-chosen", formed(await site.issue())]) {
      const answer = await site.askForCode(undefined, { sid });
      const { sid: given, qr } = (answer.json ?? {}) as { sid?: unknown; qr?: unknown };
      if (answer.status !== 400 && (given === sid || String(qr).includes(sid)))
        fail(`The sid ${sid} was adopted.`);
    }
  },
});

/** Whoever asks for such a code gets none. @param statuses any 4xx unless it is said */
export function refusesQueries(queries: readonly Record<string, string>[], statuses?: readonly number[]) {
  return async (site: LoginSite): Promise<void> => {
    for (const query of queries) {
      const answer = await site.askForCode(undefined, query);
      const what = `${new URLSearchParams(query)}`;
      if (statuses) expectStatus(answer, statuses, what);
      else expectRefused(answer, what);
    }
  };
}
