import { answerAuth } from "#lib/sign-in/answer-auth.ts";

type Context = { params: Promise<{ nextauth: string[] }> };

/** NextAuth's own endpoints: csrf, session, sign-in by `callback/svc`, sign-out. */
const handler = async (request: Request, { params }: Context): Promise<Response> =>
  answerAuth(request, (await params).nextauth);

export { handler as GET, handler as POST };
