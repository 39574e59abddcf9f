import type { Metadata } from "next";
import { currentSession } from "#app/current-person.ts";
import { SignedInNotice } from "#components/account/person.tsx";
import { LoginScreen, LoginSteps } from "#components/login/login-screen.tsx";
import { SiteLogin } from "#components/login/site-login.tsx";
import { SiteTrialLogin } from "#components/trial/trial-login.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { readCallbackUrl, withCallbackUrl } from "#lib/login/protocol/paths.ts";
import { env } from "#lib/platform/env.ts";

export const metadata: Metadata = { title: "Sign in" };

/** Login. NextAuth sends people here too, with `callbackUrl` and, when it failed, `error`. */
export default async function LoginPage({ searchParams }: PageProps<"/login">) {
  const { callbackUrl: callback, error } = await searchParams;
  const callbackUrl = readCallbackUrl(callback);
  const session = await currentSession();
  const registerHref = withCallbackUrl("/register", callbackUrl);
  const domain = env().DOMAIN;
  const screen = {
    title: "Sign in with your wallet",
    lead: callbackUrl?.startsWith("/console")
      ? "The console shows your own API keys, domains and events: sign in to open yours."
      : "No password: your wallet proves it’s you.",
    notice: (
      <>
        {error !== undefined && !session && (
          <Notice tone="danger" className="mb-8">
            The last sign-in did not work. Nothing was lost: scan the code to try again.
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
  const login = { domain, callbackUrl, registerHref };
  if (env().DEMO_WALLET) return <SiteTrialLogin action="login" screen={screen} {...login} />;
  return (
    <LoginScreen {...screen}>
      <SiteLogin action="login" demoWallet={false} {...login} />
    </LoginScreen>
  );
}
