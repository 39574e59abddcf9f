import { readCallbackUrl, withCallbackUrl } from "@svc/login/protocol";
import { headers } from "next/headers";
import { LoginScreen, LoginSteps } from "@/components/login/login-screen.tsx";
import { SiteLogin } from "@/components/login/site-login.tsx";
import { TrialLogin } from "@/components/trial-login.tsx";
import { TextLink } from "@/components/ui.tsx";
import { wordsOf } from "@/components/words/languages.ts";
import { login } from "@/lib/login.ts";

/** In development, a trial wallet is next to the code. */
const Panel = process.env.NODE_ENV === "development" ? TrialLogin : SiteLogin;

export const generateMetadata = async () => ({ title: wordsOf(await headers()).register.tab });

export default async function RegisterPage({ searchParams }: PageProps<"/register">) {
  const callbackUrl = readCallbackUrl((await searchParams).callbackUrl);
  const words = wordsOf(await headers()).register;
  const domain = await login.domain();
  return (
    <LoginScreen
      title={words.title}
      lead={words.lead}
      steps={<LoginSteps action="register" domain={domain} />}
      other={words.other((text) => <TextLink href={withCallbackUrl("/login", callbackUrl)}>{text}</TextLink>)}
    >
      <Panel action="register" domain={domain} callbackUrl={callbackUrl} />
    </LoginScreen>
  );
}
