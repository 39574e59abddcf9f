import type { SignInMethodCandidate } from "@svc/login";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { currentSession } from "#app/current-person.ts";
import { ConfirmAddition } from "#components/account/confirm-addition.tsx";
import { login } from "#lib/login.ts";
import { KeyName } from "#packages/react/login/confirm-key.tsx";
import { CardPage } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Confirm what you are adding", robots: { index: false } };

export default async function ConfirmPage({ searchParams }: PageProps<"/dashboard/add/confirm">) {
  if (!(await currentSession())) redirect("/login?callbackUrl=%2Fdashboard");
  const { sid } = await searchParams;
  const candidate = typeof sid === "string" ? await login.account.candidate(await headers(), sid) : null;
  return candidate?.standing === "new" ? (
    <NewCandidate candidate={candidate} sid={String(sid)} />
  ) : (
    <NothingToAdd candidate={candidate} />
  );
}

function NewCandidate({ candidate: { kind, name }, sid }: { candidate: SignInMethodCandidate; sid: string }) {
  const what = kind === "address" ? "address" : "wallet";
  return (
    <CardPage title={`Is this your ${what}?`}>
      <p>This {what} answered the code. Once you add it, anyone who has it can sign in to your account.</p>
      <KeyName name={name} />
      <p className="text-muted-foreground text-sm">
        Your wallet should show the same{kind === "address" ? " address" : " words and digits"}. If anything
        is different, choose “Not mine”.
      </p>
      <ConfirmAddition sid={sid} example={kind === "address" ? "Savings" : "Phone"} />
    </CardPage>
  );
}

function NothingToAdd({ candidate }: { candidate: SignInMethodCandidate | null }) {
  const what = candidate?.kind === "address" ? "address" : "wallet";
  const [title, text] = additionRefusal(candidate?.standing ?? "none", what);
  return (
    <CardPage title={title} next={{ href: "/dashboard", label: "Back to the dashboard" }}>
      <p>{text}</p>
    </CardPage>
  );
}

function additionRefusal(
  standing: SignInMethodCandidate["standing"] | "none",
  what: string,
): [title: string, text: string] {
  switch (standing) {
    case "yours":
      return [
        `You have this ${what} already`,
        `You can already sign in with this ${what}, so there is nothing to add.`,
      ];
    case "taken":
      return [
        `This ${what} belongs to another account`,
        `If that account is yours, sign in to it and remove the ${what} there first. Or add a different one.`,
      ];
    default:
      return [
        "There is nothing to add",
        "The code was not answered, was already used, or has expired. Start again from the dashboard.",
      ];
  }
}
