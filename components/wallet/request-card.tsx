"use client";

import { ADDRESS_TYPES, type AddressType } from "@svc/wallet/bitcoin-address";
import { countSecondsLeft, type Payload } from "@svc/wallet/read-payload";
import { type TrustQuestion, toLoginIdentity } from "@svc/wallet/request";
import { useEffect, useRef, useState } from "react";
import { Button } from "#packages/react/ui/button.tsx";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { ConfirmDialogButton } from "#packages/react/ui/dialog.tsx";
import { Card } from "#packages/react/ui/elements.tsx";
import { Countdown } from "#packages/react/ui/time.tsx";
import { AccountChoice, AddressChoice, findLastAccount } from "./account-choice.tsx";
import { ConfirmForm } from "./protect-wallet.tsx";
import { RequestFacts, RequestStory } from "./request-facts.tsx";
import { RequestOutcome, RequestTitle, UndoLogin } from "./request-words.tsx";
import { useApprovalDelay } from "./use-flow.ts";
import type { useRequest } from "./use-request.ts";
import type { ReadyWallet } from "./use-wallet.ts";

type Requests = ReturnType<typeof useRequest>;

export function RequestCard({
  request,
  requests,
  wallet,
  onClose,
}: {
  request: NonNullable<Requests["request"]>;
  requests: Requests;
  wallet: ReadyWallet;
  onClose: () => void;
}) {
  const card = useRef<HTMLElement>(null);
  const { asking, siteClock, undoable } = requests;
  const { phase } = request;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each phase replaces the button that had the focus.
  useEffect(() => card.current?.focus(), [phase]);

  const payload = request.phase === "declined" ? null : request.payload;
  const isUnnamed = phase === "elsewhere" || phase === "looking";
  const isOpen = isUnnamed || phase === "asking" || phase === "confirming" || phase === "sending";
  return (
    <Card
      className="outline-none"
      aria-labelledby="request-title"
      data-phase={phase}
      tabIndex={-1}
      ref={card}
    >
      <RequestTitle payload={payload} phase={phase} />
      {payload && isOpen && (
        <RequestFacts
          payload={payload}
          sites={wallet.sites}
          trusts={wallet.trusts}
          asking={asking}
          siteClock={siteClock}
          isNamed={!isUnnamed}
        />
      )}
      <RequestOutcome request={request} />
      {!isOpen && <AfterRequest request={request} isFromPage={requests.isFromPage} onClose={onClose} />}
      {request.phase === "answered" && undoable && undoable.url === request.result.signedIn?.undo && (
        <UndoLogin login={undoable} onUndone={requests.undone} />
      )}
      {(request.phase === "elsewhere" || request.phase === "asking") && (
        <Decision
          // The login's next QR code gets the same React key, so the user's input is kept.
          key={request.phase + toLoginIdentity(request.payload)}
          payload={request.payload}
          isUnnamed={isUnnamed}
          requests={requests}
          wallet={wallet}
        />
      )}
      {phase === "confirming" && (
        <Button onClick={requests.cancel} className="mt-4 w-full">
          Cancel
        </Button>
      )}
      {request.phase === "refused" && request.trust && (
        <TrustHost question={request.trust} onTrust={requests.trust} />
      )}
      {payload?.kind === "challenge" && phase !== "refused" && (
        <RequestStory payload={payload} isSent={request.phase === "answered" && request.result.ok} />
      )}
    </Card>
  );
}

function AfterRequest({
  request,
  isFromPage,
  onClose,
}: {
  request: NonNullable<Requests["request"]>;
  isFromPage: boolean;
  onClose: () => void;
}) {
  const returnsToPage = isFromPage && request.phase === "answered" && request.result.ok;
  return (
    <div className="mt-4 grid gap-3">
      {returnsToPage && (
        // When this tab closes, the browser returns to the tab that showed the QR code. The link is for browsers that
        // do not let the page close this tab.
        <ButtonLink variant="primary" href={siteOf(request.payload)} onClick={() => window.close()}>
          Back to {request.payload.domain}
        </ButtonLink>
      )}
      <Button variant={returnsToPage ? "secondary" : "primary"} onClick={onClose}>
        Done
      </Button>
    </div>
  );
}

/** The site's host can differ from the host that receives the response. */
function siteOf({ domain, webhook }: Payload): string {
  const { hostname, origin } = new URL(webhook);
  return hostname === domain ? origin : `https://${domain}`;
}

function Decision({
  payload,
  isUnnamed,
  requests: { flow, asking, siteClock, approve },
  wallet: { lock, addresses, sites },
}: {
  payload: Payload;
  isUnnamed: boolean;
  requests: Requests;
  wallet: ReadyWallet;
}) {
  const { kind, domain, purpose } = payload;
  const [account, setAccount] = useState(() => findLastAccount(sites, domain));
  const [addressType, setAddressType] = useState<AddressType>(ADDRESS_TYPES[0]);
  const ready = useApprovalDelay(isUnnamed || asking !== undefined);
  const other = <Button onClick={() => flow.decline()}>Decline</Button>;
  return (
    <div className={isUnnamed ? "mt-4 grid gap-4" : "grid gap-4"}>
      {isUnnamed ? (
        <div className="grid grid-cols-2 gap-3">
          {other}
          {/* No button is highlighted if the request might be an attack. */}
          <Button disabled={!ready} onClick={() => flow.checkReceiver()}>
            Check with the site
          </Button>
        </div>
      ) : (
        <ConfirmForm
          lock={lock}
          label={purpose === "add" ? "Approve and link" : "Approve"}
          disabled={!ready}
          onConfirm={(confirmation) => approve({ account, addressType, ...confirmation })}
          other={other}
        >
          {kind === "fast" ? (
            <AddressChoice addresses={addresses} chosen={addressType} onChoose={setAddressType} />
          ) : (
            <AccountChoice domain={domain} sites={sites} account={account} onChange={setAccount} />
          )}
        </ConfirmForm>
      )}
      <div className="text-center">
        <Countdown left={() => countSecondsLeft(payload, siteClock.now(payload))} before="Ends in" />
      </div>
    </div>
  );
}

/**
 * For users who know that a hosted API handles the site's logins. Applies to one domain and one host. A QR code cannot
 * trigger it.
 */
function TrustHost({
  question,
  onTrust,
}: {
  question: TrustQuestion;
  onTrust: (pair: TrustQuestion) => void;
}) {
  const { domain, host } = question;
  return (
    <ConfirmDialogButton
      button={{ variant: "secondary", size: "small", className: "mt-4 w-full" }}
      label="Does the site use a login service?"
      title={`Trust ${host} for ${domain}?`}
      question={
        <span className="wrap-anywhere">
          From now on, {host} will be able to receive your answers for {domain}. Do this only if {domain}{" "}
          itself says that it signs people in through {host}. If you came here from a code in a message or on
          a stranger’s screen, this is a trap.
        </span>
      }
      confirmLabel="Trust it"
      cancelLabel="Do not trust"
      onConfirm={() => onTrust(question)}
    />
  );
}
