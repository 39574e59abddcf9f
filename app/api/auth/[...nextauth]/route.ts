import { type AuthContext, answerAuth } from "#lib/flows/auth/answer-auth.ts";

/** NextAuth's own endpoints: csrf, session, sign-in by `callback/svc`, sign-out. */
const handler = (request: Request, context: AuthContext): Promise<Response> => answerAuth(request, context);

export { handler as GET, handler as POST };
