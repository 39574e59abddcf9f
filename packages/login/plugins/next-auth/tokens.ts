import { decode, encode } from "next-auth/jwt";
import { BROWSER_SESSION_SECONDS } from "../../protocol/numbers.ts";
import type { SessionTokens } from "../../server/core.ts";

/** How our tokens begin: `{"alg":"dir","enc":"A256GCM"}`. To decrypt by another algorithm could take long. */
const TOKEN_HEADER = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0";

/** NextAuth's own tokens, under any of the secrets: there are several while the secret is rotated. */
export const nextAuthTokens: SessionTokens = {
  cookie: "next-auth.session-token",
  encode: (claims, secret) => encode({ token: { ...claims }, secret, maxAge: BROWSER_SESSION_SECONDS }),
  async decode(token, secrets) {
    if (!token.startsWith(`${TOKEN_HEADER}.`)) throw new Error("This is none of our tokens.");
    return Promise.any(secrets.map((secret) => decode({ token, secret })));
  },
};
