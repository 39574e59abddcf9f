import { readCallbackUrl } from "@svc/login/protocol";
import { HostedLogin, LoginScreen, LoginSteps } from "@svc/react";
import { headers } from "next/headers";
import { login } from "@/lib/login.ts";
import { textsOf } from "@/texts.ts";

export default async function LoginPage({ searchParams }: PageProps<"/login">) {
  const callbackUrl = readCallbackUrl((await searchParams).callbackUrl);
  // Wait for the request first. During a build, there is no request, so this does not set up the login.
  const { title, lead, other } = textsOf(await headers());
  const domain = await login.domain();
  const steps = <LoginSteps action="login" domain={domain} />;
  return (
    <LoginScreen title={title} lead={lead} other={other} steps={steps}>
      <HostedLogin domain={domain} callbackUrl={callbackUrl} />
    </LoginScreen>
  );
}
