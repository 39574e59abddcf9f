import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentSession } from "#app/current-person.ts";
import { FastLogin } from "#components/account/login-kinds.tsx";
import { env } from "#lib/platform/env.ts";
import { readCallbackUrl } from "#packages/login/protocol/paths.ts";
import { StepList } from "#packages/react/login/login-screen.tsx";
import { Notice, TextLink } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Sign in with an address" };

/** The reasons why `/dashboard?sid=` redirects here. */
const PROBLEMS = new Map([
  [
    "not-signed-in",
    "That sign-in was started in another browser, or it has expired. Scan the code below to sign in here.",
  ],
  [
    "unregistered",
    "Your signature is valid, but this address has no account here. Sign in with your wallet first, then add the address on your dashboard.",
  ],
]);

export default async function FastPage({ searchParams }: PageProps<"/fast">) {
  const { callbackUrl: callback, problem } = await searchParams;
  const callbackUrl = readCallbackUrl(callback);
  // A signed-in browser cannot request a QR code for fast login (docs/protocol.md#61-get-apigetqrcode).
  if (await currentSession()) redirect(callbackUrl ?? "/dashboard");
  const { APP_URL, DOMAIN, DEMO_WALLET, FAST_AUTO_REGISTER } = env();
  const notice = PROBLEMS.get(String(problem));
  const screen = {
    title: "Sign in with a Bitcoin address",
    lead: "No password and no payment. Your wallet signs this page’s code with a Bitcoin address that you choose.",
    notice: notice && (
      <Notice tone="warning" className="mb-8">
        {notice}
      </Notice>
    ),
    steps: <FastSteps domain={APP_URL.origin} autoRegister={FAST_AUTO_REGISTER} />,
    other: (
      <>
        Have a wallet that supports this site? <TextLink href="/login">Sign in with your wallet</TextLink>
      </>
    ),
  };
  return (
    <FastLogin
      domain={DOMAIN}
      demoWallet={DEMO_WALLET}
      isOpen={FAST_AUTO_REGISTER}
      callbackUrl={callbackUrl}
      screen={screen}
    />
  );
}

/** The second step protects people from relayed QR codes. */
function FastSteps({
  domain,
  autoRegister,
}: {
  domain: string;
  /** True if answering with an unknown Bitcoin address creates an account. */
  autoRegister: boolean;
}) {
  return (
    <StepList
      steps={[
        <>
          Scan the code with a wallet that signs messages with a Bitcoin address. If the wallet is on this
          device, copy the link into it instead.
        </>,
        <>
          Check that what you sign begins with{" "}
          <strong className="wrap-anywhere font-semibold">{domain}</strong>, then approve. Signing a message
          does not move any money.
        </>,
        autoRegister
          ? "You’ll be signed in automatically. If the address is new here, you’ll get an account."
          : "You’ll be signed in automatically if the address belongs to an account here.",
      ]}
    />
  );
}
