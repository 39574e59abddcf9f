import type { Metadata } from "next";
import { PhoneRun } from "#components/conformance/phone-run.tsx";
import { listCaseTexts } from "#lib/conformance-runs/evaluate-run.ts";
import { env } from "#lib/platform/env.ts";
import { Container, RequiresJavaScript } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Test your wallet" };

export default function ConformancePage() {
  const { DOMAIN, DEMO_WALLET } = env();
  const isLocal = DOMAIN === "localhost" || /^127\./.test(DOMAIN);
  return (
    <Container>
      <h1 className="font-semibold text-title">Test your wallet</h1>
      <p className="mt-2 mb-8 max-w-prose text-muted-foreground">
        A wallet has to refuse codes from a hostile site. Scan such codes here, and see whether your wallet
        refuses them.
      </p>
      <RequiresJavaScript
        title="Turn on JavaScript to test your wallet"
        why="This page shows codes and detects what your wallet does."
      >
        <PhoneRun cases={listCaseTexts()} site={{ demoWallet: DEMO_WALLET, isLocal }} />
      </RequiresJavaScript>
    </Container>
  );
}
