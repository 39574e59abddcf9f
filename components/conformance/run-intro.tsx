"use client";

import { useTransition } from "react";
import { StepList } from "#components/login/step-list.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { Run } from "./use-run.ts";

/** What the kit does with a wallet, and what its holder needs. */
export function RunIntro({ count, isLocal, run }: { count: number; isLocal: boolean; run: Run }) {
  const [pending, start] = useTransition();
  return (
    <div className="grid gap-8 md:grid-cols-2">
      <Card className="grid content-start gap-5" aria-label="Start">
        <h2 className="font-semibold">What you need</h2>
        <p>
          A phone with the wallet, this page on another screen, and about ten minutes. Use a wallet made for
          trying things out.
        </p>
        {isLocal && (
          <Notice tone="warning">
            This site is reached as localhost, so only a wallet on this very machine can answer. A phone needs
            a site with a name of its own, by https.
          </Notice>
        )}
        {typeof run.trouble === "string" && (
          <Notice tone="danger" role="status">
            {run.trouble === "unreachable" ? "We cannot reach the site. Try again." : run.trouble}
          </Notice>
        )}
        <Button
          variant="primary"
          className="justify-self-start"
          disabled={pending}
          onClick={() => start(run.start)}
        >
          {pending ? "Starting…" : "Start"}
        </Button>
        <p className="text-muted-foreground text-sm">
          Nobody is signed in by it, and no account is made. The run is kept for an hour, without keys and
          signatures.
        </p>
      </Card>
      <div className="grid content-start gap-6">
        <h2 className="font-semibold">What happens</h2>
        <StepList
          steps={[
            "You scan a correct code. It shows that your wallet reaches this site: without that, silence proves nothing.",
            `Then this page plays a hostile site, in ${count} cases. You scan each code, and say what your wallet did.`,
            "We see what arrives. Whatever is sent for a code that nobody may answer is a failure.",
            "You get a report: one page to read, and JSON for your build.",
          ]}
        />
        <p className="text-muted-foreground text-sm">
          A wallet that runs as a command is tested without scanning, and in more cases:{" "}
          <TextLink href="/docs/guides/conformance">the guide</TextLink> says how.
        </p>
      </div>
    </div>
  );
}
