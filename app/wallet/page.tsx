import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { KeyPicture } from "#components/site/key-picture.tsx";
import { WalletApp } from "#components/wallet/wallet-app.tsx";
import { env } from "#lib/platform/env.ts";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { Container, RequiresJavaScript } from "#packages/react/ui/elements.tsx";
import { Fingerprint, KeyRound, ShieldCheck, type SvgIcon } from "#packages/react/ui/icons.tsx";

export const metadata: Metadata = {
  title: "Wallet",
  robots: { index: false },
  manifest: "/wallet/manifest.webmanifest",
  appleWebApp: { capable: true, title: "Wallet", statusBarStyle: "default" },
};

const PROMISES: { Icon: SvgIcon; text: string }[] = [
  {
    Icon: KeyRound,
    text: "Every site gets a different key. Two sites cannot tell that you are the same person.",
  },
  {
    Icon: ShieldCheck,
    text: "You see the site’s real name first. A fake page cannot use your answer.",
  },
  { Icon: Fingerprint, text: "You unlock the wallet with your fingerprint, face, PIN or passphrase." },
];

export default async function WalletPage() {
  await connection();
  if (!env().DEMO_WALLET) notFound();
  return (
    // The page is as high as the wallet's tallest screen, so that the footer does not move once the wallet has loaded.
    <Container className="max-lg:min-h-dvh lg:min-h-196">
      <div className="grid gap-x-16 gap-y-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,32rem)] lg:grid-rows-[auto_1fr] lg:gap-y-8">
        <div className="lg:pt-2">
          <h1 className="font-semibold text-title">Wallet</h1>
          <p className="mt-2 text-lg text-muted-foreground standalone:hidden">
            Signs you in. Always asks first.
          </p>
        </div>
        <div className="lg:row-span-2">
          <RequiresJavaScript
            title="Turn on JavaScript to open the wallet"
            why="The wallet runs in your browser, and needs JavaScript to sign."
          >
            <WalletApp note={<DemonstrationNote className="lg:hidden" />} />
          </RequiresJavaScript>
        </div>
        <div className="max-lg:hidden standalone:hidden">
          <KeyPicture className="mb-8 w-full max-w-md" />
          <ul className="grid max-w-md gap-4">
            {PROMISES.map(({ Icon, text }) => (
              <li key={text} className="flex items-start gap-3">
                <Icon aria-hidden strokeWidth={1.5} className="size-6 shrink-0 text-primary" />
                {text}
              </li>
            ))}
          </ul>
          <DemonstrationNote className="mt-8" />
        </div>
      </div>
    </Container>
  );
}

function DemonstrationNote({ className }: { className: string }) {
  return (
    <p className={joinClassNames("max-w-md text-muted-foreground text-sm standalone:hidden", className)}>
      This is a demonstration. Its keys are locked by your device and stay in this browser. Don’t enter the
      words of a wallet that you really use here.
    </p>
  );
}
