/** Where a customer of the hosted API keeps its logins. Each method is one atomic step. */
export type HostedStore = {
  /**
   * Binds a session of the hosted API to the browser that started it. The browser keeps its secret if a login of
   * its own is known; a secret that we did not make is never adopted. An event that came before is kept.
   * @throws when the session belongs to a browser already
   */
  start(login: {
    now: Date;
    /** The session's id. */
    sid: string;
    /** SHA-256 of the secret in the browser's cookie; null where there is none. */
    browserHash: Uint8Array | null;
    /** SHA-256 of the secret that the cookie gets, unless the browser keeps its own. */
    newBrowserHash: Uint8Array;
  }): Promise<{ keepsSecret: boolean }>;
  /** A login of this browser; null for an unknown one, and for another browser's. */
  find(sid: string, browserHash: Uint8Array): Promise<FoundLogin | null>;
  /**
   * Takes an event. Each `webhook-id` and each session is taken once, whatever else comes for it.
   * @returns `early` when no browser has started this session: until one does, nobody can redeem it
   */
  answer(answer: {
    now: Date;
    sid: string;
    /** The `webhook-id`. */
    eventId: string;
    /** Lower-case uncompressed hex. */
    publicKey: string;
    /** When the wallet answered. A login can be redeemed for ten minutes from then. */
    authenticatedAt: Date;
  }): Promise<"answered" | "early" | "repeated">;
  /** Ends an answered login of this browser, once; null when there is nothing to redeem. */
  redeem(login: { now: Date; sid: string; browserHash: Uint8Array }): Promise<{ publicKey: string } | null>;
  /**
   * Takes a login back, answered or not yet, redeemed or not: nobody redeems it any more. A store that keeps browser
   * sessions ends those that the login opened, and does so again when it is asked again.
   * @returns `repeated` when it was taken back before
   */
  undo(login: { now: Date; sid: string }): Promise<"undone" | "repeated">;
  /** Deletes the logins in progress of a browser that signs out. */
  forget(browserHash: Uint8Array): Promise<void>;
  /** Deletes logins that began a day ago or more. */
  prune(now: Date): Promise<void>;
};

export type FoundLogin = { authenticatedAt: Date | null; isUndone: boolean };
