import { bindingOf, hashesOf } from "../binding.ts";
import { Blocked, fail, type Rule } from "../check.ts";
import type { Cookie } from "../cookies.ts";
import type { LoginSite } from "./login-site.ts";

/** Section 4.1: the cookie that binds a browser to its login. */

const LIFETIME_SECONDS = 10 * 60;

/** Every binding cookie of the run. A renewal may leave it as it is; if it writes one, it has to be as good. */
export function bindingsOf({ run }: Pick<LoginSite, "run">): Cookie[] {
  return run.codes.filter(({ answer }) => answer.cookies.length > 0).map(bindingOf);
}

/** @throws {Failure} unless the cookie is for the whole site, and not for other hosts */
export function expectWholeSite({ name, attributes }: Cookie): void {
  if (attributes.domain !== undefined)
    fail(
      `The cookie ${name} has Domain=${attributes.domain}, which lets other hosts read it: leave Domain out.`,
    );
  if (attributes.path !== "/") fail(`The cookie ${name} has Path=${attributes.path} instead of /.`);
}

/** A check of one attribute of the binding cookie, whenever it was set. */
function attributeCheck(
  id: string,
  proves: string,
  cause: string,
  judge: (cookie: Cookie, site: LoginSite) => string | null,
): Rule<LoginSite> {
  return {
    ...{ id, proves, cause, looksBack: true },
    async run(site) {
      if (site.run.codes.length === 0) await site.issue(site.browser());
      const cookies = bindingsOf(site);
      if (cookies.length === 0) throw new Blocked("No code's answer sets a cookie.");
      for (const cookie of cookies) {
        const complaint = judge(cookie, site);
        if (complaint) fail(complaint);
      }
    },
  };
}

/**
 * What every flow asks of its binding cookie.
 * @param cookie what a flow calls it
 * @param lax what `SameSite=Lax` is good for, where the flow says so
 */
export function bindingCookieChecks(section: string, cookie: string, lax = ""): readonly Rule<LoginSite>[] {
  return [
    attributeCheck(
      `${section}-cookie-httponly`,
      `The ${cookie} is \`HttpOnly\`: no script reads it.`,
      "The page reads the cookie, or the attribute was forgotten.",
      ({ attributes, name }) => (attributes.httponly ? null : `The cookie ${name} is not HttpOnly.`),
    ),
    attributeCheck(
      `${section}-cookie-samesite`,
      `The ${cookie} is \`SameSite=Lax\`${lax}.`,
      "`None`, for a frame; or nothing, which browsers read differently.",
      ({ attributes, name }) =>
        String(attributes.samesite).toLowerCase() === "lax"
          ? null
          : `The cookie ${name} has SameSite=${attributes.samesite} instead of Lax.`,
    ),
    attributeCheck(
      `${section}-cookie-secure`,
      `On https the ${cookie} is \`Secure\` and has the prefix \`__Host-\`; on http it has neither.`,
      "The site does not know that it is reached by https, since a proxy ends it.",
      ({ attributes, name }, { isSecure }) => {
        if (!isSecure) {
          const cannot = attributes.secure || name.startsWith("__");
          return cannot
            ? `The cookie ${name} is Secure, or begins with "__", and cannot be set over http.`
            : null;
        }
        if (!attributes.secure) return `The cookie ${name} is not Secure.`;
        return name.startsWith("__Host-") ? null : `The cookie ${name} has no prefix __Host-.`;
      },
    ),
    attributeCheck(
      `${section}-cookie-lifetime`,
      `The ${cookie} lasts ten minutes.`,
      "The cookie lasts as long as the browser or a year, and with it what a thief of the device can do.",
      ({ attributes, name }) => {
        const age = Number(attributes["max-age"] ?? Number.NaN);
        return age > 0 && age <= LIFETIME_SECONDS
          ? null
          : `The cookie ${name} has Max-Age=${attributes["max-age"]}.`;
      },
    ),
    {
      id: `${section}-secret`,
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
  ];
}
