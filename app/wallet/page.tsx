import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { Container } from "#components/site/container.tsx";
import { WalletApp } from "#components/wallet/wallet-app.tsx";
import { env } from "#lib/platform/env.ts";

export const metadata: Metadata = {
  title: "Wallet",
  robots: { index: false },
  manifest: "/wallet/manifest.webmanifest",
  appleWebApp: { capable: true, title: "Wallet", statusBarStyle: "default" },
};

/** The demo wallet; it does not exist unless it is switched on (DEMO_WALLET). */
export default async function WalletPage() {
  await connection();
  if (!env().DEMO_WALLET) notFound();
  return (
    <Container className="max-w-xl">
      <h1 className="mb-4 font-semibold text-title">Wallet</h1>
      <WalletApp />
      <p className="mt-4 text-muted-foreground text-sm">
        A demonstration: its keys are locked by your device and stay in this browser. Keep the words of real
        accounts elsewhere.
      </p>
      <noscript>
        <p className="mt-4 text-sm">The wallet signs in your browser, so it needs JavaScript.</p>
      </noscript>
    </Container>
  );
}
