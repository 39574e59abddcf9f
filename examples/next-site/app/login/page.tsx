import { readCallbackUrl, withCallbackUrl } from "@svc/login/protocol";
import { LoginScreen, LoginSteps, TextLink } from "@svc/react";
import { headers } from "next/headers";
import { Panel } from "@/components/panel.tsx";
import { login } from "@/lib/login.ts";
import { textsOf } from "@/texts/languages.ts";

export const generateMetadata = async () => ({ title: textsOf(await headers()).login.tab });

export default async function LoginPage({ searchParams }: PageProps<"/login">) {
  const callbackUrl = readCallbackUrl((await searchParams).callbackUrl);
  const registerHref = withCallbackUrl("/register", callbackUrl);
  const { title, lead, other } = textsOf(await headers()).login;
  const links = other(
    (text) => <TextLink href={registerHref}>{text}</TextLink>,
    (text) => <TextLink href="/recover">{text}</TextLink>,
  );
  const steps = <LoginSteps action="login" domain={await login.domain()} />;
  return (
    <LoginScreen title={title} lead={lead} steps={steps} other={links}>
      <Panel action="login" callbackUrl={callbackUrl} registerHref={registerHref} />
    </LoginScreen>
  );
}
