import type { Metadata } from "next";
import { currentSession } from "#app/current-person.ts";
import { SignedInNotice } from "#components/account/person.tsx";
import { PicturedSteps } from "#components/site/scan-picture.tsx";
import { SiteLoginPage } from "#components/trial/login-page.tsx";
import { env } from "#lib/platform/env.ts";
import { readCallbackUrl, withCallbackUrl } from "#packages/login/protocol/paths.ts";
import { LoginSteps } from "#packages/react/login/login-screen.tsx";
import { Notice, TextLink } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Create an account" };

/** If a wallet's key already has an account, the wallet signs in. */
export default async function RegisterPage({ searchParams }: PageProps<"/register">) {
  const { callbackUrl: callback, again } = await searchParams;
  const callbackUrl = readCallbackUrl(callback);
  const session = await currentSession();
  const { DOMAIN: domain, DEMO_WALLET: demoWallet } = env();
  const screen = {
    title: "Create an account with your wallet",
    lead: "No form and no password. Your account is a key that your wallet creates for this site only.",
    notice: session ? (
      <SignedInNotice userId={session.userId} href={callbackUrl ?? "/dashboard"} />
    ) : (
      again !== undefined && (
        <Notice className="mb-8">
          Scan once more with the same wallet. This time, it will create your account.
        </Notice>
      )
    ),
    steps: (
      <PicturedSteps>
        <LoginSteps action="register" domain={domain} />
      </PicturedSteps>
    ),
    other: (
      <>
        Already have an account? <TextLink href={withCallbackUrl("/login", callbackUrl)}>Sign in</TextLink>
      </>
    ),
  };
  return <SiteLoginPage action="register" {...{ domain, demoWallet, callbackUrl, screen }} />;
}
