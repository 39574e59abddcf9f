/** Where a site answers, as paths of its origin. */
export type Target = {
  origin: URL;
  qr: string;
  check: string;
  events: string;
  /** The folder of `/login` and `/register`. */
  webhook: string;
  /** NextAuth's callback of the login, or any path that takes `{"sid":…}`. */
  signIn: string;
  /** Where it tells who is signed in; NextAuth's own if it is null. */
  session: string | null;
  /** Where it signs out, by POST; NextAuth's own if it is null. */
  signOut: string | null;
};

export const DEFAULT_PATHS: Omit<Target, "origin"> = {
  qr: "/api/svc/qr",
  check: "/api/svc/check",
  events: "/api/svc/events",
  webhook: "/webhook",
  signIn: "/api/auth/callback/svc",
  session: null,
  signOut: null,
};
