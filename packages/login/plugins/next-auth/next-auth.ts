import type { Plugin, RouteHandler } from "../../site/plugin.ts";
import { markSessionsManagedByLogin } from "../../site/site-sessions.ts";
import { answerNextAuthRequest } from "./answer-next-auth-request.ts";
import { createNextAuthIntegration, type NextAuthIntegration } from "./own-next-auth.ts";
import { nextAuthTokenCodec } from "./tokens.ts";

declare module "../../site/plugin.ts" {
  interface LoginExtensions<UserId> {
    "next-auth": {
      /** For `app/api/auth/[...nextauth]/route.ts`. */
      auth: Record<"GET" | "POST", RouteHandler>;
    } & (UserId extends string
      ? {
          /**
           * Replaces `auth` on a site with its own NextAuth options. A wallet's user then gets the same kind of session
           * as the users of the site's other providers. Requires `findOrCreateUser`.
           */
          nextAuth: NextAuthIntegration;
        }
      : unknown);
  }
}

export function nextAuth(): Plugin<"next-auth"> {
  return {
    name: "next-auth",
    tokens: nextAuthTokenCodec,
    start({ core }) {
      // NextAuth reads its own URL from this variable.
      process.env.NEXTAUTH_URL = core.origin.origin;
    },
    extend(context) {
      const auth = context.handler(answerNextAuthRequest);
      return {
        auth: {
          get GET() {
            markSessionsManagedByLogin();
            return auth;
          },
          get POST() {
            markSessionsManagedByLogin();
            return auth;
          },
        },
        nextAuth: createNextAuthIntegration(context),
      };
    },
  };
}
