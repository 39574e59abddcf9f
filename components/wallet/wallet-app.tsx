"use client";

import { useMemo } from "react";
import { Card } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { NewWallet } from "./new-wallet.tsx";
import { PayloadForm } from "./payload-form.tsx";
import { RequestCard } from "./request-card.tsx";
import { SiteList } from "./site-list.tsx";
import { useRequest } from "./use-request.ts";
import { useWallet } from "./use-wallet.ts";
import { statusSentence } from "./wallet-status.ts";
import { WipeWallet } from "./wipe-wallet.tsx";

/** The wallet: made or restored, asked, and answering. `apiHost` is the hosted API that it trusts. */
export function WalletApp({ apiHost }: { apiHost: string }) {
  const { wallet, refresh, wipe } = useWallet();
  const trustedHosts = useMemo(() => [apiHost], [apiHost]);
  const { request, open, approve, decline, close } = useRequest(trustedHosts, refresh);

  return (
    <div className="grid gap-4">
      <p role="status" className="sr-only">
        {wallet.status === "ready" ? statusSentence(request) : ""}
      </p>
      {wallet.status === "loading" && (
        <Card aria-busy className="min-h-48 text-muted-foreground">
          Opening the wallet …
        </Card>
      )}
      {wallet.status === "unavailable" && (
        <Notice tone="danger" role="alert">
          This browser keeps nothing for this page, so there can be no wallet. Leave private browsing or allow
          site data, then reload.
        </Notice>
      )}
      {wallet.status === "none" && (
        <>
          {request && (
            <Notice>
              A code is waiting. Make or restore a wallet first; if the code runs out meanwhile, take a new
              one.
            </Notice>
          )}
          <NewWallet onKept={refresh} />
        </>
      )}
      {wallet.status === "ready" && (
        <>
          {request ? (
            <RequestCard
              request={request}
              sites={wallet.sites}
              onApprove={approve}
              onDecline={decline}
              onClose={close}
            />
          ) : (
            <PayloadForm onOpen={open} />
          )}
          <SiteList sites={wallet.sites} />
          <WipeWallet onWipe={wipe} />
        </>
      )}
    </div>
  );
}
