import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentSession } from "#app/current-person.ts";
import { AddLogin } from "#components/account/login-kinds.tsx";
import { loginCore } from "#lib/login.ts";
import { env } from "#lib/platform/env.ts";
import { findApprovalMethods } from "#packages/login/plugins/approvals/requester.ts";
import { LoginScreen, StepList } from "#packages/react/login/login-screen.tsx";
import { TextLink } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Add a sign-in method" };

export default async function AddPage({ searchParams }: PageProps<"/dashboard/add">) {
  const kind = (await searchParams).kind === "address" ? "address" : "wallet";
  const session = await currentSession();
  if (!session) redirect(`/login?${new URLSearchParams({ callbackUrl: `/dashboard/add?kind=${kind}` })}`);
  const address = kind === "address";
  const answerer = address ? "Sign the code with the address" : "Scan the code with the wallet";
  return (
    <LoginScreen
      title={address ? "Add a Bitcoin address" : "Add another wallet"}
      lead={`You will be able to use it to sign in to your account (user ${session.userId}), like your other sign-in methods.`}
      steps={
        <StepList
          steps={[
            `${answerer} you want to add. Nothing changes yet.`,
            "Come back to this page. Compare what this page shows with what your wallet shows.",
            "Confirm the change. Other people may have seen the code, but they cannot add anything unless you confirm.",
          ]}
        />
      }
      other={<TextLink href="/dashboard">Back to the dashboard</TextLink>}
    >
      <AddLogin
        kind={address ? "address" : "public_key"}
        ways={await findApprovalMethods(loginCore().database, session)}
        domain={env().DOMAIN}
        demoWallet={env().DEMO_WALLET}
        walletHref="/get-a-wallet"
      />
    </LoginScreen>
  );
}
