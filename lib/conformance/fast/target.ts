/** Where a site with fast login answers, as paths of its origin. */
export type FastTarget = {
  origin: URL;
  qr: string;
  check: string;
  /** The path that codes name and wallets post to. */
  webhook: string;
  /** Where `?sid=` signs in by plain redirects. */
  dashboard: string;
  /** NextAuth's callback, which a site may have as well. */
  signIn: string;
};

export const FAST_PATHS: Omit<FastTarget, "origin"> = {
  qr: "/api/getqrcode",
  check: "/api/checkfast",
  webhook: "/api/fastauth",
  dashboard: "/dashboard",
  signIn: "/api/auth/callback/fast",
};
