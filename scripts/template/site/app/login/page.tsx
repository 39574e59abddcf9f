import { readCallbackUrl, withCallbackUrl } from "@svc/login/protocol";
import type { Metadata } from "next";
import { LoginScreen, LoginSteps } from "@/components/login/login-screen.tsx";
import { SiteLogin } from "@/components/login/site-login.tsx";
import { TrialLogin } from "@/components/trial-login.tsx";
import { TextLink } from "@/components/ui.tsx";
import { login } from "@/lib/login.ts";

/** Whoever develops the site may have no wallet. */
const Panel = process.env.NODE_ENV === "development" ? TrialLogin : SiteLogin;

export const metadata: Metadata = { title: "Sign in" };

export default async function LoginPage({ searchParams }: PageProps<"/login">) {
  const callbackUrl = readCallbackUrl((await searchParams).callbackUrl);
  const domain = await login.domain();
  const registerHref = withCallbackUrl("/register", callbackUrl);
  return (
    <LoginScreen
      title="Sign in with your wallet"
      lead="No password: your wallet proves it’s you."
      steps={<LoginSteps action="login" domain={domain} />}
      other={
        <>
          No account yet? <TextLink href={registerHref}>Create one with your wallet</TextLink>. Lost your
          wallet? <TextLink href="/recover">Recover your account</TextLink>.
        </>
      }
    >
      <Panel action="login" domain={domain} callbackUrl={callbackUrl} registerHref={registerHref} />
    </LoginScreen>
  );
}
