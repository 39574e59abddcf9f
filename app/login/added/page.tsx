import { randomBytes } from "node:crypto";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AddedKeyQuestion } from "#components/login/added-key-question.tsx";
import { Container } from "#components/site/container.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { browserSecret } from "#lib/account/browser-secret.ts";
import { readCallbackUrl } from "#lib/login/protocol/paths.ts";
import { credentialName } from "#lib/names/credential-name.ts";
import { currentSession } from "#lib/platform/current-session.ts";
import { findQuestion } from "#lib/sign-in/added-key.ts";

export const metadata: Metadata = { title: "Your key was added to an account", robots: { index: false } };

/** Where the first sign-in by a key that was added elsewhere stops: its holder sees which account it opens. */
export default async function AddedKeyPage({ searchParams }: PageProps<"/login/added">) {
  const { sid, callbackUrl } = await searchParams;
  const question = typeof sid === "string" ? await findQuestion(sid, await browserSecret()) : null;
  if (question === null && (await currentSession())) redirect("/dashboard");
  return (
    <Container className="max-w-xl">
      <Card className="grid gap-5">
        {question?.state === "open" ? (
          <AddedKeyQuestion
            userId={question.userId}
            kind={question.kind}
            name={credentialName(question.value)}
            accountSince={question.accountSince.toISOString()}
            addedAt={question.addedAt.toISOString()}
            otherWays={question.otherWays}
            fields={{
              sid: String(sid),
              attempt: randomBytes(16).toString("hex"),
              callbackUrl: readCallbackUrl(callbackUrl) ?? "/dashboard",
            }}
          />
        ) : question?.state === "removed" ? (
          <Removed />
        ) : (
          <NothingToDecide />
        )}
      </Card>
    </Container>
  );
}

function Removed() {
  return (
    <>
      <h1 className="font-semibold text-title">It is removed</h1>
      <p>
        What you signed with no longer opens that account, and nobody was signed in. It is yours again: you
        can create an account of your own with it.
      </p>
      <ButtonLink variant="primary" href="/register">
        Create an account
      </ButtonLink>
    </>
  );
}

function NothingToDecide() {
  return (
    <>
      <h1 className="font-semibold text-title">There is nothing to decide</h1>
      <p>The question was answered already, or it is over. Nobody was signed in just now.</p>
      <ButtonLink variant="primary" href="/login">
        Sign in
      </ButtonLink>
    </>
  );
}
