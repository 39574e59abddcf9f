import { readCallbackUrl } from "@svc/login/protocol";
import { headers } from "next/headers";
import { HostedLogin } from "@/components/login/hosted-login.tsx";
import { LoginScreen, LoginSteps } from "@/components/login/login-screen.tsx";
import { wordsOf } from "@/components/words/languages.ts";
import { login } from "@/lib/login.ts";

export default async function LoginPage({ searchParams }: PageProps<"/login">) {
  const callbackUrl = readCallbackUrl((await searchParams).callbackUrl);
  // Ask for the request first: a build has none, and must not set the login up.
  const words = wordsOf(await headers()).hosted;
  const domain = await login.domain();
  return (
    <LoginScreen {...words} steps={<LoginSteps action="login" domain={domain} />}>
      <HostedLogin domain={domain} callbackUrl={callbackUrl} />
    </LoginScreen>
  );
}
