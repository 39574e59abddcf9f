import { readCallbackUrl, withCallbackUrl } from "@svc/login/protocol";
import { LoginScreen, LoginSteps, TextLink } from "@svc/react";
import { headers } from "next/headers";
import { Panel } from "@/components/panel.tsx";
import { login } from "@/lib/login.ts";
import { textsOf } from "@/texts/languages.ts";

export const generateMetadata = async () => ({ title: textsOf(await headers()).register.tab });

export default async function RegisterPage({ searchParams }: PageProps<"/register">) {
  const callbackUrl = readCallbackUrl((await searchParams).callbackUrl);
  const { title, lead, other } = textsOf(await headers()).register;
  const link = other((text) => <TextLink href={withCallbackUrl("/login", callbackUrl)}>{text}</TextLink>);
  const steps = <LoginSteps action="register" domain={await login.domain()} />;
  return (
    <LoginScreen title={title} lead={lead} steps={steps} other={link}>
      <Panel action="register" callbackUrl={callbackUrl} />
    </LoginScreen>
  );
}
