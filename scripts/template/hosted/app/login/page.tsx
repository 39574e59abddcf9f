import { readCallbackUrl } from "@svc/login/protocol";
import { headers } from "next/headers";
import { HostedLogin } from "@/components/login/hosted-login.tsx";
import { LoginScreen, LoginSteps } from "@/components/login/login-screen.tsx";
import { wordsOf } from "@/components/words/languages.ts";
import { login } from "@/lib/login.ts";

export default async function LoginPage({ searchParams }: PageProps<"/login">) {
  const domain = await login.domain();
  return (
    <LoginScreen {...wordsOf(await headers()).hosted} steps={<LoginSteps action="login" domain={domain} />}>
      <HostedLogin domain={domain} callbackUrl={readCallbackUrl((await searchParams).callbackUrl)} />
    </LoginScreen>
  );
}
