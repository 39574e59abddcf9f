import { login } from "#lib/login.ts";

/** NextAuth's endpoints: csrf, session, `callback/svc` and sign-out. */
export const { GET, POST } = login.auth;
