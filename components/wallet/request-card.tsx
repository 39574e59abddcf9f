"use client";

import { useEffect, useRef, useState } from "react";
import { Countdown } from "#components/login/countdown.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { endOf } from "#lib/wallet/check-payload.ts";
import { ADDRESS_TYPES, type AddressType } from "#lib/wallet/derive-address.ts";
import type { Payload } from "#lib/wallet/read-payload.ts";
import { AddressChoice } from "./address-choice.tsx";
import { domainOf, type WalletRequest } from "./request.ts";
import { RequestFacts } from "./request-facts.tsx";
import type { Site } from "./vault.ts";

/** A code can arrive while somebody is about to press something else: approving takes a look first. */
const APPROVE_DELAY_MS = 500;

/** One request from question to answer: what is asked, by whom, and where the answer goes. */
export function RequestCard({
  request,
  sites,
  onApprove,
  onDecline,
  onClose,
}: {
  request: WalletRequest;
  sites: readonly Site[];
  onApprove: (addressType: AddressType) => void;
  onDecline: () => void;
  onClose: () => void;
}) {
  const card = useRef<HTMLElement>(null);
  const { phase } = request;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each phase replaces the buttons that had the focus.
  useEffect(() => card.current?.focus(), [phase]);

  const payload = request.phase === "declined" ? null : request.payload;
  return (
    <Card
      className="outline-none"
      aria-labelledby="request-title"
      data-phase={phase}
      tabIndex={-1}
      ref={card}
    >
      {payload ? (
        <RequestTitle payload={payload} refused={phase === "refused"} />
      ) : (
        <PlainTitle phase={phase} />
      )}
      {payload && (phase === "asking" || phase === "sending") && (
        <RequestFacts payload={payload} sites={sites} />
      )}
      <RequestOutcome request={request} />
      {phase === "asking" && payload && (
        <Decision
          key={payload.kind === "fast" ? payload.url : payload.challenge.text}
          payload={payload}
          onApprove={onApprove}
          onDecline={onDecline}
        />
      )}
      {phase !== "asking" && phase !== "sending" && (
        <Button onClick={onClose} className="mt-4 w-full">
          Done
        </Button>
      )}
    </Card>
  );
}

function RequestTitle({ payload, refused }: { payload: Payload; refused: boolean }) {
  const registers = payload.kind === "challenge" && payload.challenge.action === "register";
  return (
    <h2 id="request-title" className="text-center">
      <span className="block text-muted-foreground text-sm">
        {refused ? "Nothing was signed for" : registers ? "Create an account at" : "Sign in to"}
      </span>{" "}
      <strong className="wrap-anywhere font-semibold text-title">{domainOf(payload)}</strong>
    </h2>
  );
}

function PlainTitle({ phase }: { phase: WalletRequest["phase"] }) {
  return (
    <h2 id="request-title" className="text-center font-semibold">
      {phase === "declined" ? "Declined" : "Not signed"}
    </h2>
  );
}

function RequestOutcome({ request }: { request: WalletRequest }) {
  switch (request.phase) {
    case "asking":
      return null;
    case "sending":
      return (
        <p className="mt-4 text-center text-muted-foreground">Signed. Waiting for the site’s answer …</p>
      );
    case "declined":
      return (
        <p className="mt-2 text-center text-muted-foreground">
          Nothing was signed, and the site was told nothing.
        </p>
      );
    case "refused":
      return (
        <Notice tone="danger" className="mt-4">
          {request.message}
        </Notice>
      );
    case "answered":
      return (
        <Notice tone={request.result.ok ? "success" : "warning"} className="mt-4">
          <p>{request.result.advice}</p>
          {request.result.message && (
            <p className="mt-1 wrap-anywhere text-muted-foreground">
              The site says: {request.result.message}
            </p>
          )}
        </Notice>
      );
  }
}

function Decision({
  payload,
  onApprove,
  onDecline,
}: {
  payload: Payload;
  onApprove: (addressType: AddressType) => void;
  onDecline: () => void;
}) {
  const [ready, setReady] = useState(false);
  const [addressType, setAddressType] = useState<AddressType>(ADDRESS_TYPES[0]);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), APPROVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="mt-4 grid gap-3">
      {payload.kind === "fast" && <AddressChoice chosen={addressType} onChoose={setAddressType} />}
      <div className="grid grid-cols-2 gap-3">
        <Button onClick={onDecline}>Decline</Button>
        <Button variant="primary" onClick={() => onApprove(addressType)} disabled={!ready}>
          Approve
        </Button>
      </div>
      <div className="text-center">
        <Countdown at={endOf(payload) * 1000} before="Ends in" />
      </div>
    </div>
  );
}
