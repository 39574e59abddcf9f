import type { Metadata } from "next";
import { headers } from "next/headers";
import { currentSession } from "#app/current-person.ts";
import { SignedInNotice } from "#components/account/person.tsx";
import { PicturedSteps } from "#components/site/scan-picture.tsx";
import { SiteLoginPage } from "#components/trial/login-page.tsx";
import { env } from "#lib/platform/env.ts";
import { readCallbackUrl, withCallbackUrl } from "#packages/login/protocol/paths.ts";
import { readLoginCookie } from "#packages/login/server/cookies.ts";
import { LoginSteps } from "#packages/react/login/login-screen.tsx";
import { Notice, TextLink } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Sign in" };

/** NextAuth redirects here with `callbackUrl` and, after a failed sign-in, `error`. */
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
        {error === undefined && !session && (await hasEnded()) && (
          <Notice className="mb-8">You were signed out of this browser. Sign in again to continue.</Notice>
        )}
        {session && <SignedInNotice userId={session.userId} href={callbackUrl ?? "/dashboard"} />}
      </>
    ),
    steps: (
      <PicturedSteps>
        <LoginSteps action="login" domain={domain} />
      </PicturedSteps>
    ),
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

/**
 * Returns whether this browser still has the cookie of a session that was signed out elsewhere, was undone, or has
 * expired.
 */
async function hasEnded(): Promise<boolean> {
  const cookies = (await headers()).get("cookie");
  return readLoginCookie(cookies, "next-auth.session-token", env().APP_URL) !== null;
}
