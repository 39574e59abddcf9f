import type { Metadata } from "next";
import { currentSession } from "#app/current-person.ts";
import { SignedInNotice } from "#components/account/person.tsx";
import { SiteLoginPage } from "#components/trial/login-page.tsx";
import { env } from "#lib/platform/env.ts";
import { readCallbackUrl, withCallbackUrl } from "#packages/login/protocol/paths.ts";
import { LoginSteps } from "#packages/react/login/login-screen.tsx";
import { Notice, TextLink } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Sign in" };

/** Login. NextAuth sends people here too, with `callbackUrl` and, if their sign-in failed, `error`. */
export default async function LoginPage({ searchParams }: PageProps<"/login">) {
  const { callbackUrl: callback, error } = await searchParams;
  const callbackUrl = readCallbackUrl(callback);
  const session = await currentSession();
  const registerHref = withCallbackUrl("/register", callbackUrl);
  const againHref = `${registerHref}${callbackUrl === null ? "?" : "&"}again=`;
  const { DOMAIN: domain, DEMO_WALLET: demoWallet } = env();
  const screen = {
    title: "Sign in with your wallet",
    lead: callbackUrl?.startsWith("/console")
      ? "Sign in to open your console with your API keys, domains and events."
      : "No password needed. Your wallet proves it’s you.",
    notice: (
      <>
        {error !== undefined && !session && (
          <Notice tone="danger" className="mb-8">
            Your last sign-in did not work. Scan the code to try again.
          </Notice>
        )}
        {session && <SignedInNotice userId={session.userId} href={callbackUrl ?? "/dashboard"} />}
      </>
    ),
    steps: <LoginSteps action="login" domain={domain} />,
    other: (
      <>
        No account yet? <TextLink href={registerHref}>Create one with your wallet</TextLink>. Lost your
        wallet? <TextLink href="/recover">Recover your account</TextLink>.
      </>
    ),
  };
  return (
    <SiteLoginPage action="login" {...{ domain, demoWallet, callbackUrl, registerHref: againHref, screen }} />
  );
}
