import { readCallbackUrl } from "@svc/login/protocol";
import { HostedLogin } from "@/components/login/hosted-login.tsx";
import { LoginScreen, LoginSteps } from "@/components/login/login-screen.tsx";
import { login } from "@/lib/login.ts";

export default async function LoginPage({ searchParams }: PageProps<"/login">) {
  const domain = await login.domain();
  return (
    <LoginScreen
      title="Sign in with your wallet"
      lead="No password: your wallet proves it’s you."
      steps={<LoginSteps action="login" domain={domain} />}
      other="A wallet that is new here gets an account by signing in."
    >
      <HostedLogin domain={domain} callbackUrl={readCallbackUrl((await searchParams).callbackUrl)} />
    </LoginScreen>
  );
}
