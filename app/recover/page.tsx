import type { Metadata } from "next";
import { headers } from "next/headers";
import { AccountRecoveryLogin } from "#components/account/login-kinds.tsx";
import { login } from "#lib/login.ts";
import { env } from "#lib/platform/env.ts";
import { RecoverAccount } from "#packages/react/recovery/recovery-screen.tsx";
import { TextLink } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Recover your account" };

export default async function RecoverPage({ searchParams }: PageProps<"/recover">) {
  const { sid, kind: requestedKind } = await searchParams;
  const recovery = await login.recovery.ofBrowser(await headers(), sid);
  const { DOMAIN, DEMO_WALLET, FAST_AUTO_REGISTER } = env();
  if (recovery.status !== "open") return <RecoverAccount recovery={recovery} domain={DOMAIN} />;
  const kind = requestedKind === "address" && FAST_AUTO_REGISTER ? "address" : "public_key";
  const panel = (
    <AccountRecoveryLogin
      kind={kind}
      domain={DOMAIN}
      demoWallet={DEMO_WALLET}
      walletHref="/get-a-wallet"
      leftMs={recovery.leftMs}
    />
  );
  const other =
    kind === "address" ? (
      <TextLink href="/recover">Use a wallet’s key instead</TextLink>
    ) : (
      FAST_AUTO_REGISTER && <TextLink href="/recover?kind=address">Use a Bitcoin address instead</TextLink>
    );
  const code = { what: kind === "address" ? kind : "wallet", panel, other } as const;
  return <RecoverAccount recovery={recovery} domain={DOMAIN} code={code} />;
}
