"use client";

import { endOf } from "@svc/wallet/check-payload";
import { ADDRESS_TYPES, type AddressType } from "@svc/wallet/derive-address";
import { purposeOf } from "@svc/wallet/purpose";
import type { Payload } from "@svc/wallet/read-payload";
import { useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Countdown } from "#components/ui/countdown.tsx";
import { AccountChoice, AddressChoice, lastAccount } from "./account-choice.tsx";
import { TrustHost } from "./confirm-dialog.tsx";
import type { LockKind } from "./lock.ts";
import { ConfirmForm } from "./protect-wallet.tsx";
import { domainOf, loginOf, type TrustQuestion, type WalletRequest, webhookOf } from "./request.ts";
import { type ReceiverKind, RequestFacts, RequestStory } from "./request-facts.tsx";
import { RequestOutcome, RequestTitle } from "./request-words.tsx";
import { type Undoable, UndoLogin } from "./undo-login.tsx";
import { type Asking, useReady } from "./use-asking-browser.ts";
import type { Approval } from "./use-request.ts";
import type { Site, Trust } from "./wallet-storage.ts";

/** What can be done about a request. */
type RequestActions = {
  onApprove: (approval: Approval) => void;
  /** Asks the site who takes its answers. */
  onLook: () => void;
  /** Stops the device's question. */
  onCancel: () => void;
  onDecline: () => void;
  onClose: () => void;
  onTrust: (pair: TrustQuestion) => void;
  onUndone: () => void;
};

/** One request from question to answer: what is asked, by whom, and where the answer goes. */
export function RequestCard({
  request,
  asking,
  undoable,
  lock,
  sites,
  trusts,
  ...actions
}: RequestActions & {
  request: WalletRequest;
  asking: Asking;
  undoable: Undoable | null;
  lock: LockKind;
  sites: readonly Site[];
  trusts: readonly Trust[];
}) {
  const card = useRef<HTMLElement>(null);
  const { phase } = request;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each phase replaces the buttons that had the focus.
  useEffect(() => card.current?.focus(), [phase]);

  const payload = request.phase === "declined" ? null : request.payload;
  const unnamed = phase === "elsewhere" || phase === "looking";
  const open = unnamed || phase === "asking" || phase === "confirming" || phase === "sending";
  return (
    <Card
      className="outline-none"
      aria-labelledby="request-title"
      data-phase={phase}
      tabIndex={-1}
      ref={card}
    >
      {payload ? <RequestTitle payload={payload} phase={phase} /> : <PlainTitle phase={phase} />}
      {payload && open && (
        <RequestFacts
          payload={payload}
          sites={sites}
          asking={asking}
          receiver={unnamed ? "unknown" : receiverOf(payload, trusts)}
        />
      )}
      <RequestOutcome request={request} />
      {request.phase === "answered" && undoable && undoable.url === request.result.signedIn?.undo && (
        <UndoLogin login={undoable} onUndone={actions.onUndone} />
      )}
      {request.phase === "elsewhere" && (
        <LookDecision
          key={loginOf(request.payload)}
          payload={request.payload}
          onLook={actions.onLook}
          onDecline={actions.onDecline}
        />
      )}
      {request.phase === "asking" && (
        <Decision
          // The next code of the same login keeps what was typed and chosen.
          key={loginOf(request.payload)}
          payload={request.payload}
          lock={lock}
          sites={sites}
          waits={asking === undefined}
          {...actions}
        />
      )}
      {phase === "confirming" && (
        <Button onClick={actions.onCancel} className="mt-4 w-full">
          Cancel
        </Button>
      )}
      {request.phase === "refused" && request.trust && (
        <TrustHost question={request.trust} onTrust={actions.onTrust} />
      )}
      {payload?.kind === "challenge" && phase !== "refused" && (
        <RequestStory payload={payload} told={request.phase === "answered" && request.result.ok} />
      )}
      {!open && (
        <Button onClick={actions.onClose} className="mt-4 w-full">
          Done
        </Button>
      )}
    </Card>
  );
}

function receiverOf(payload: Payload, trusts: readonly Trust[]): ReceiverKind {
  const [domain, { hostname }] = [domainOf(payload), webhookOf(payload)];
  return trusts.some((trust) => trust.domain === domain && trust.host === hostname) ? "trusted" : "named";
}

function PlainTitle({ phase }: { phase: WalletRequest["phase"] }) {
  return (
    <h2 id="request-title" className="text-center font-semibold">
      {phase === "declined" ? "Declined" : "Not signed"}
    </h2>
  );
}

function LookDecision({
  payload,
  onLook,
  onDecline,
}: Pick<RequestActions, "onLook" | "onDecline"> & { payload: Payload }) {
  const ready = useReady(true);
  return (
    <div className="mt-4 grid gap-4">
      <div className="grid grid-cols-2 gap-3">
        <Button onClick={onDecline}>Decline</Button>
        <Button variant="primary" disabled={!ready} onClick={onLook}>
          Check with the site
        </Button>
      </div>
      <div className="text-center">
        <Countdown at={endOf(payload) * 1000} before="Ends in" />
      </div>
    </div>
  );
}

function Decision({
  payload,
  lock,
  sites,
  waits,
  onApprove,
  onDecline,
}: Pick<RequestActions, "onApprove" | "onDecline"> & {
  payload: Payload;
  lock: LockKind;
  sites: readonly Site[];
  /** The site was not heard yet on who is asking. */
  waits: boolean;
}) {
  const domain = domainOf(payload);
  const [account, setAccount] = useState(() => lastAccount(sites, domain));
  const [addressType, setAddressType] = useState<AddressType>(ADDRESS_TYPES[0]);
  const ready = useReady(!waits);
  return (
    <div className="grid gap-4">
      <ConfirmForm
        lock={lock}
        label={purposeOf(payload) === "add" ? "Approve and link" : "Approve"}
        disabled={!ready}
        onConfirm={(confirmation) => onApprove({ account, addressType, ...confirmation })}
        other={<Button onClick={onDecline}>Decline</Button>}
      >
        {payload.kind === "fast" ? (
          <AddressChoice chosen={addressType} onChoose={setAddressType} />
        ) : (
          <AccountChoice domain={domain} sites={sites} account={account} onChange={setAccount} />
        )}
      </ConfirmForm>
      <div className="text-center">
        <Countdown at={endOf(payload) * 1000} before="Ends in" />
      </div>
    </div>
  );
}
