import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { Container } from "#components/site/container.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { WalletApp } from "#components/wallet/wallet-app.tsx";
import { env } from "#lib/core/env.ts";

export const metadata: Metadata = { title: "Demo wallet", robots: { index: false } };

/** The demo wallet; it does not exist unless it is switched on (DEMO_WALLET). */
export default async function WalletPage() {
  await connection();
  const { DEMO_WALLET, DOMAIN } = env();
  if (!DEMO_WALLET) notFound();
  return (
    <Container className="max-w-xl">
      <h1 className="font-semibold text-title">Demo wallet</h1>
      <Notice className="my-4">
        Keys stay in this browser, not locked by anything. For trying out: do not use it for real accounts.
      </Notice>
      <WalletApp apiHost={DOMAIN} />
      <noscript>
        <p className="mt-4 text-sm">The wallet signs in your browser, so it needs JavaScript.</p>
      </noscript>
    </Container>
  );
}
