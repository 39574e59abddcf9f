import { refusal } from "../protocol/errors.ts";
import { type Intent, parseIntent } from "../protocol/qr-payload.ts";
import type { SessionsEnd } from "../server/browser-session.ts";
import type { CodeIntent } from "../server/issue-login.ts";
import { prune } from "../server/prune.ts";
import type { RedeemableFlow } from "../server/redeem-login.ts";
import type { SentHeaders } from "../server/web-request.ts";
import type { AskForCode, AskingForCode, Routes, Site } from "./plugin.ts";

const LIST = new Intl.ListFormat("en-GB", { type: "disjunction" });

/**
 * Reads what a code is for, if not to sign in (docs/protocol.md#36-intents).
 * @param name the query's `intent`
 * @throws {Refusal} 400 for an intent that no plugin answers; what the plugin throws
 */
export async function readCodeIntent(site: Site, name: string, asking: AskingForCode): Promise<CodeIntent> {
  const intents: Partial<Record<Intent, AskForCode>> = {};
  for (const plugin of site.plugins) Object.assign(intents, plugin.intents?.(site));
  const intent = parseIntent(name);
  const ask = intent && intents[intent];
  if (ask) return { intent, askedBy: await ask(site.core, asking) };
  const names = LIST.format(Object.keys(intents).map((each) => `"${each}"`));
  throw refusal("invalid_request", names ? `Set intent to ${names}, or leave it out.` : "Leave intent out.");
}

/** The endpoints of a site. */
export function routesOf(site: Site): Routes {
  return Object.assign({}, ...site.plugins.map((plugin) => plugin.routes?.(site)));
}

/** All logins that browsers redeem at a site, by the names of their NextAuth providers. */
export function flowsOf(site: Site): Record<string, RedeemableFlow> {
  return Object.assign({}, ...site.plugins.map((plugin) => plugin.flows?.(site)));
}

/** The browser that sends these headers, when it redeems a login. */
export function redeemingBrowser(site: Site, headers: SentHeaders) {
  const parts = site.plugins.flatMap((plugin) => plugin.redeeming?.(site, headers) ?? []);
  return {
    /** The same flow, preceded by what the plugins do first. */
    redeeming(flow: RedeemableFlow): RedeemableFlow {
      if (parts.length === 0) return flow;
      return {
        ...flow,
        async before(login) {
          for (const part of parts) await part.before(login);
          await flow.before?.(login);
        },
      };
    },
    setCookies: () => parts.flatMap((part) => part.setCookie() ?? []),
    refusalMessage: () =>
      parts.map((part) => part.refusalMessage()).find((message) => message !== null) ?? null,
  };
}

/** Ends the plugins' logins in progress when browser sessions end. */
export async function endOfSessions(site: Site, end: SessionsEnd): Promise<void> {
  for (const plugin of site.plugins) await plugin.onSessionEnd?.(site, end);
}

/** Deletes what has ended. */
export async function pruneSite(site: Site): Promise<void> {
  await prune(site.core.database, site.core.now());
  for (const plugin of site.plugins) await plugin.prune?.(site);
}
