import { login } from "#lib/login.ts";

/** NextAuth's own endpoints: csrf, session, sign-in with `callback/svc`, and sign-out. */
export const { GET, POST } = login.auth;
