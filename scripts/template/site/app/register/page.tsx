import { readCallbackUrl, withCallbackUrl } from "@svc/login/protocol";
import type { Metadata } from "next";
import { LoginScreen, LoginSteps } from "@/components/login/login-screen.tsx";
import { SiteLogin } from "@/components/login/site-login.tsx";
import { TrialLogin } from "@/components/trial-login.tsx";
import { TextLink } from "@/components/ui.tsx";
import { login } from "@/lib/login.ts";

/** Whoever develops the site may have no wallet. */
const Panel = process.env.NODE_ENV === "development" ? TrialLogin : SiteLogin;

export const metadata: Metadata = { title: "Create an account" };

export default async function RegisterPage({ searchParams }: PageProps<"/register">) {
  const callbackUrl = readCallbackUrl((await searchParams).callbackUrl);
  const domain = await login.domain();
  return (
    <LoginScreen
      title="Create an account with your wallet"
      lead="Your wallet makes a key for this site alone. That key is your account."
      steps={<LoginSteps action="register" domain={domain} />}
      other={
        <>
          You have an account? <TextLink href={withCallbackUrl("/login", callbackUrl)}>Sign in</TextLink>
        </>
      }
    >
      <Panel action="register" domain={domain} callbackUrl={callbackUrl} />
    </LoginScreen>
  );
}
