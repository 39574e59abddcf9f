import { bindingOf } from "../binding.ts";
import { fail, type Rule } from "../check.ts";
import { expectNobody } from "./signed-in.ts";
import type { Site } from "./site.ts";

/** Sections 3.1 and 4.1: which browser continues which login. */

export const CONTINUING_CHECKS: readonly Rule<Site>[] = [
  {
    id: "3.1-refresh",
    proves: "A browser that names its own login gets a new code of the same login.",
    cause: "Every code starts a login, so that answers to the code before are lost.",
    async run(site) {
      const browser = site.browser();
      const first = await site.issue(browser);
      const second = await site.issue(browser, "login", first.sid);
      if (second.sid !== first.sid) fail("The new code has another sid.");
      if (second.challenge === first.challenge) fail("The new code has the same challenge.");
    },
  },
  {
    id: "3.1-refresh-foreign",
    proves: "A browser that names another browser's login gets a login of its own.",
    cause: "The sid alone continues a login, so a thief renews the victim's codes and binds them to himself.",
    async run(site) {
      const { sid } = await site.issue(site.browser());
      for (const stranger of [site.browser(), await site.thief()]) {
        const code = await site.issue(stranger, "login", sid);
        if (code.sid === sid) fail("Another browser continues the login.");
      }
    },
  },
  {
    id: "3.1-refresh-authenticated",
    proves: "A login that was answered is never asked again: naming it starts another.",
    cause: "A refresh puts an authenticated login back to pending.",
    async run(site) {
      const { browser, code } = await site.register();
      const next = await site.issue(browser, "register", code.sid);
      if (next.sid === code.sid) fail("The answered login got another code.");
      if ((await site.statusOf(code.sid)).status !== "authenticated")
        fail("The answered login is pending again.");
    },
  },
  {
    id: "4.1-sid-not-adopted",
    proves: "A sid that the server did not make is never adopted.",
    cause: "An unknown sid is inserted as it came, so that an attacker can fix a victim's.",
    async run(site) {
      const { sid: shape } = await site.issue(site.browser());
      for (const sid of ["attacker-chosen", "Q".repeat(shape.length)]) {
        const answer = await site.askForCode(site.browser(), { mode: "login", sid });
        if (answer.status === 400) continue;
        const { sid: given } = (answer.json ?? {}) as { sid?: unknown };
        if (given === sid) fail(`The sid ${sid} was adopted.`);
      }
    },
  },
  {
    id: "4.1-secret-not-adopted",
    proves: "A binding secret that the server did not make is never adopted.",
    cause:
      "A cookie that comes along is kept as the browser's secret, so that a neighbouring host can plant one.",
    async run(site) {
      const shape = bindingOf(await site.issue(site.browser()));
      const planted = "A".repeat(shape.value.length);
      const victim = site.browser();
      victim.cookies.set(shape.name, planted);
      const { code } = await site.answered("login", await site.knownWallet(), victim);
      const attacker = site.browser();
      attacker.cookies.set(shape.name, planted);
      await expectNobody(
        attacker,
        await attacker.signIn(code.sid),
        "An attacker who planted the victim's secret",
      );
      if (victim.cookies.get(shape.name) === planted)
        fail("The browser goes on with the secret that was planted.");
    },
  },
];
