import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { currentSession } from "#app/current-person.ts";
import { DemoLogin, HostedTrace } from "#components/account/hosted-trace.tsx";
import { SignedInNotice } from "#components/account/person.tsx";
import { DEMO_DOMAIN } from "#lib/hosted-demo/set-up-demo.ts";
import { env } from "#lib/platform/env.ts";
import { readCallbackUrl } from "#packages/login/protocol/paths.ts";
import { LoginSteps } from "#packages/react/login/login-screen.tsx";
import { TextLink } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Sign in through the hosted API" };

export default async function HostedLoginPage({ searchParams }: PageProps<"/login/hosted">) {
  const { DEMO_WALLET, HOSTED_DEMO } = env();
  if (!HOSTED_DEMO) notFound();
  const callbackUrl = readCallbackUrl((await searchParams).callbackUrl);
  const session = await currentSession();
  const screen = {
    title: "Sign in through the hosted API",
    lead: "This demo site uses our API. Watch what its server sends and receives.",
    notice: session && <SignedInNotice userId={session.userId} href={callbackUrl ?? "/dashboard"} />,
    steps: <LoginSteps action="login" domain={DEMO_DOMAIN} />,
    other: (
      <>
        The first sign-in with a wallet creates an account. To build a site like this, read{" "}
        <TextLink href="/docs/api">the API reference</TextLink>. To see a site that runs the login itself,{" "}
        <TextLink href="/login">sign in here</TextLink>.
      </>
    ),
    beside: <HostedTrace />,
  };
  return (
    <DemoLogin domain={DEMO_DOMAIN} demoWallet={DEMO_WALLET} callbackUrl={callbackUrl} screen={screen} />
  );
}
