import NextAuth from "next-auth";
import { authOptions } from "#lib/flows/auth/auth-options.ts";

type Context = { params: Promise<{ nextauth: string[] }> };

// Made at the first request: the options need the configuration, which a build does not have.
const handler = (request: Request, context: Context): Promise<Response> =>
  NextAuth(authOptions())(request, context);

export { handler as GET, handler as POST };
