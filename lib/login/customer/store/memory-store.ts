import { LOGIN_SESSION_IDLE_SECONDS, LOGIN_SESSION_KEPT_SECONDS } from "../../protocol/numbers.ts";
import { addSeconds } from "../../protocol/time.ts";
import type { HostedStore } from "./hosted-store.ts";

type Login = {
  createdAt: Date;
  /** Of the secret in the browser's cookie, in hex; null while only the event has come. */
  browser: string | null;
  /** The `webhook-id` of the event that answered it. */
  eventId: string | null;
  publicKey: string;
  authenticatedAt: Date | null;
  redeemed: boolean;
  isUndone: boolean;
};

/** Keeps a customer's logins in memory, for development: one process knows them, and they end with it. */
export function memoryStore(): HostedStore {
  const logins = new Map<string, Login>();
  const hex = (hash: Uint8Array) => Buffer.from(hash).toString("hex");
  const newLogin = (createdAt: Date): Login => ({
    ...{ createdAt, browser: null, eventId: null, publicKey: "", authenticatedAt: null, redeemed: false },
    isUndone: false,
  });
  return {
    async start({ now, sid, browserHash, newBrowserHash }) {
      const login = logins.get(sid) ?? newLogin(now);
      if (login.browser !== null) throw new Error("this session belongs to a browser already");
      const own = browserHash && hex(browserHash);
      const keepsSecret = own !== null && [...logins.values()].some(({ browser }) => browser === own);
      logins.set(sid, { ...login, browser: keepsSecret ? own : hex(newBrowserHash) });
      return { keepsSecret };
    },
    async find(sid, browserHash) {
      const login = logins.get(sid);
      if (login?.browser !== hex(browserHash)) return null;
      return { authenticatedAt: login.authenticatedAt, isUndone: login.isUndone };
    },
    async answer({ now, sid, eventId, publicKey, authenticatedAt }) {
      const login = logins.get(sid) ?? newLogin(now);
      const isTaken = [...logins.values()].some((each) => each.eventId === eventId);
      if (login.eventId !== null || isTaken) return "repeated";
      logins.set(sid, { ...login, eventId, publicKey, authenticatedAt });
      return login.browser === null ? "early" : "answered";
    },
    async redeem({ now, sid, browserHash }) {
      const login = logins.get(sid);
      const answeredSince = addSeconds(now, -LOGIN_SESSION_IDLE_SECONDS);
      if (login?.browser !== hex(browserHash) || login.redeemed) return null;
      if (login.authenticatedAt === null || login.authenticatedAt <= answeredSince) return null;
      login.redeemed = true;
      return { publicKey: login.publicKey };
    },
    async undo({ now, sid }) {
      const login = logins.get(sid) ?? newLogin(now);
      logins.set(sid, { ...login, redeemed: true, isUndone: true });
      return login.isUndone ? "repeated" : "undone";
    },
    async forget(browserHash) {
      for (const [sid, { browser, redeemed }] of logins) {
        if (browser === hex(browserHash) && !redeemed) logins.delete(sid);
      }
    },
    async prune(now) {
      const since = addSeconds(now, -LOGIN_SESSION_KEPT_SECONDS);
      for (const [sid, { createdAt }] of logins) if (createdAt < since) logins.delete(sid);
    },
  };
}
