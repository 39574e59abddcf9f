import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ConfirmAddition } from "#components/account/confirm-addition.tsx";
import { Container } from "#components/site/container.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { type Candidate, findCandidate } from "#lib/account/add-credential.ts";
import { browserSecret } from "#lib/account/browser-secret.ts";
import { currentSession } from "#lib/account/login.ts";
import { credentialName } from "#lib/names/credential-name.ts";

export const metadata: Metadata = { title: "Confirm what is added", robots: { index: false } };

/** Restricted: shows what answered the code, for its user to add or not. */
export default async function ConfirmPage({ searchParams }: PageProps<"/dashboard/add/confirm">) {
  if (!(await currentSession())) redirect("/login?callbackUrl=%2Fdashboard");
  const { sid } = await searchParams;
  const candidate = typeof sid === "string" ? await findCandidate(sid, await browserSecret()) : null;
  return (
    <Container className="max-w-xl">
      <Card className="grid gap-5">
        {candidate?.standing === "new" ? (
          <NewCandidate candidate={candidate} sid={String(sid)} />
        ) : (
          <NothingToAdd standing={candidate?.standing ?? "none"} />
        )}
      </Card>
    </Container>
  );
}

function NewCandidate({ candidate: { kind, value }, sid }: { candidate: Candidate; sid: string }) {
  const what = kind === "address" ? "address" : "wallet";
  return (
    <>
      <h1 className="font-semibold text-title">Is this your {what}?</h1>
      <p>It answered the code. Once added, whoever holds it can sign in to your account.</p>
      <p className="wrap-anywhere rounded-base border bg-muted p-4 text-center font-mono">
        {credentialName(value)}
      </p>
      <p className="text-muted-foreground text-sm">
        Compare it with what your wallet shows{kind === "address" ? "" : " as the key’s fingerprint"}, to the
        last character.
      </p>
      <ConfirmAddition sid={sid} />
    </>
  );
}

const WHY_NOT: Record<"yours" | "taken" | "none", [title: string, text: string]> = {
  yours: ["You have this already", "It signs in to your account as it is: there is nothing to add."],
  taken: [
    "This belongs to another account",
    "Somebody, maybe you, signs in to another account with it. Remove it there first, or add something else.",
  ],
  none: ["There is nothing to add", "The code was not answered, was used, or is over. Ask for a new one."],
};

function NothingToAdd({ standing }: { standing: "new" | "yours" | "taken" | "none" }) {
  const [title, text] = WHY_NOT[standing === "new" ? "none" : standing];
  return (
    <>
      <h1 className="font-semibold text-title">{title}</h1>
      <p>{text}</p>
      <ButtonLink variant="primary" href="/dashboard">
        Back to the dashboard
      </ButtonLink>
    </>
  );
}
