import {
  addSeconds,
  LOGIN_SESSION_IDLE_SECONDS,
  LOGIN_SESSION_RETENTION_SECONDS,
} from "../../../protocol/numbers.ts";

/** Each method is atomic. */
export type HostedStore = {
  /**
   * A browser that already has a stored login keeps its secret. Any other browser gets the new secret, so that a secret
   * from elsewhere is never adopted. If the session's event has already arrived, the event's data is kept.
   * @throws if the session already belongs to a browser
   */
  start(login: {
    now: Date;
    sid: string;
    /** SHA-256 of the secret in the browser's cookie, or null if the browser has no such cookie. */
    browserHash: Uint8Array | null;
    /** SHA-256 of the new secret, which the cookie gets unless the browser keeps its own. */
    newBrowserHash: Uint8Array;
  }): Promise<{ keepsSecret: boolean }>;
  find(sid: string, browserHash: Uint8Array): Promise<StoredHostedLogin | null>;
  /**
   * Stores one answer for each `webhook-id` and each session, and ignores later events.
   * @returns `early` if no browser has started this session yet, in which case the login cannot be redeemed yet
   */
  answer(answer: {
    now: Date;
    sid: string;
    eventId: string;
    /** The uncompressed key in lower-case hex. */
    publicKey: string;
    /** The login can be redeemed until ten minutes later. */
    authenticatedAt: Date;
  }): Promise<"answered" | "early" | "repeated">;
  /** Each login can be redeemed only once. Returns null if there is nothing to redeem. */
  redeem(login: { now: Date; sid: string; browserHash: Uint8Array }): Promise<{ publicKey: string } | null>;
  /**
   * The login can then no longer be redeemed. A store that also contains browser sessions ends the sessions that the
   * login opened, on every call.
   * @returns `repeated` if the login was already undone
   */
  undo(login: { now: Date; sid: string }): Promise<"undone" | "repeated">;
  /** Deletes the logins in progress when the browser signs out. */
  forget(browserHash: Uint8Array): Promise<void>;
  /** Deletes logins that began at least a day ago. */
  prune(now: Date): Promise<void>;
};

export type StoredHostedLogin = { authenticatedAt: Date | null; isUndone: boolean };

type Login = {
  createdAt: Date;
  /** The hash of the cookie's secret as hex, or null if only the event has arrived. */
  browser: string | null;
  eventId: string | null;
  publicKey: string;
  authenticatedAt: Date | null;
  redeemed: boolean;
  isUndone: boolean;
};

/** For development. Only this process can read the logins, and they are lost when it ends. */
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
      const ownBrowser = browserHash && hex(browserHash);
      const keepsSecret =
        ownBrowser !== null && [...logins.values()].some(({ browser }) => browser === ownBrowser);
      logins.set(sid, { ...login, browser: keepsSecret ? ownBrowser : hex(newBrowserHash) });
      return { keepsSecret };
    },
    async find(sid, browserHash) {
      const login = logins.get(sid);
      if (login?.browser !== hex(browserHash)) return null;
      return { authenticatedAt: login.authenticatedAt, isUndone: login.isUndone };
    },
    async answer({ now, sid, eventId, publicKey, authenticatedAt }) {
      const login = logins.get(sid) ?? newLogin(now);
      const isTaken = [...logins.values()].some((login) => login.eventId === eventId);
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
      const since = addSeconds(now, -LOGIN_SESSION_RETENTION_SECONDS);
      for (const [sid, { createdAt }] of logins) if (createdAt < since) logins.delete(sid);
    },
  };
}
