import type { Metadata } from "next";
import { env } from "#lib/platform/env.ts";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { Container, TextLink } from "#packages/react/ui/elements.tsx";
import { Code, Smartphone, type SvgIcon, Terminal } from "#packages/react/ui/icons.tsx";

export const metadata: Metadata = { title: "Get a wallet" };

export default function GetWalletPage() {
  const hasBrowserWallet = env().DEMO_WALLET;
  return (
    <Container className="max-w-3xl">
      <h1 className="font-semibold text-title">Get a wallet</h1>
      <p className="mt-2 max-w-prose text-lg text-muted-foreground">
        A wallet is an app that stores your keys and signs you in after you confirm. No app from an app store
        supports this protocol yet. These wallets do:
      </p>
      <ul className="mt-8 grid gap-4">
        {hasBrowserWallet && (
          <Wallet
            Icon={Smartphone}
            title="A wallet in this browser"
            action={
              <ButtonLink variant="primary" href="/wallet">
                Open the wallet
              </ButtonLink>
            }
          >
            Setting up this wallet takes a minute. You unlock it with your fingerprint, face, PIN or a
            passphrase. To use the wallet on your phone, open this page there and add the wallet to your home
            screen. You can then scan codes on other screens with the phone’s camera.
          </Wallet>
        )}
        <Wallet
          Icon={Terminal}
          title="On the command line"
          action={<ButtonLink href="/docs/guides/wallet">Read how</ButtonLink>}
        >
          For developers: copy the link of a code, and answer it in a clone of the repository with{" "}
          <code className="wrap-anywhere font-mono text-sm">npm run wallet -- login '&lt;link&gt;'</code>.
        </Wallet>
        <Wallet
          Icon={Code}
          title="Your own"
          action={<ButtonLink href="/docs/guides/wallet">Build a wallet</ButtonLink>}
        >
          The protocol is open. There are test vectors, and{" "}
          <TextLink href="/conformance">a test for wallets on phones</TextLink>.
        </Wallet>
      </ul>
      <p className="mt-8 text-sm">
        <TextLink href="/login">Back to the sign-in</TextLink>
      </p>
    </Container>
  );
}

function Wallet({
  Icon,
  title,
  action,
  children,
}: {
  Icon: SvgIcon;
  title: string;
  action: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-base border bg-card p-4 sm:p-6">
      <Icon aria-hidden strokeWidth={1.5} className="size-8 shrink-0 text-primary max-sm:hidden" />
      <div className="min-w-0 grow basis-72">
        <h2 className="font-semibold text-lg">{title}</h2>
        <p className="mt-1 text-muted-foreground">{children}</p>
      </div>
      {action}
    </li>
  );
}
