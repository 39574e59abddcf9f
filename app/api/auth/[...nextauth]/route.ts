import { login } from "#lib/login.ts";

/** NextAuth's own endpoints: csrf, session, sign-in by `callback/svc`, sign-out. */
export const { GET, POST } = login.auth;
