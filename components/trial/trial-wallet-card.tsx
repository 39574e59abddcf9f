"use client";

import type { CodeAnswer } from "@svc/wallet/answer-code";
import type { Payload } from "@svc/wallet/read-payload";
import { isOpenQuestion, type WalletRequest } from "@svc/wallet/request";
import { RequestFlow } from "@svc/wallet/request-flow";
import type { TrialWallet } from "@svc/wallet/trial-wallet";
import { useEffect, useMemo, useRef } from "react";
import { Message, PhoneFrame } from "#components/site/login-scene.tsx";
import { ChallengeAnatomy } from "#components/site/what-is-signed.tsx";
import { Disclosure } from "#components/ui/details.tsx";
import { RequestFacts } from "#components/wallet/request-facts.tsx";
import {
  describeStatus,
  RequestOutcome,
  RequestTitle,
  SigningKeyName,
  UndoLogin,
} from "#components/wallet/request-words.tsx";
import { useApprovalDelay, useFlow } from "#components/wallet/use-flow.ts";
import { Button } from "#packages/react/ui/button.tsx";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { TextLink } from "#packages/react/ui/elements.tsx";
import { CircleCheck, Undo2 } from "#packages/react/ui/icons.tsx";

export { createTrialWallet } from "@svc/wallet/trial-wallet";
export { DataSentToSite } from "#components/site/what-is-signed.tsx";

export type TrialReceipt = {
  payload: Payload;
  answer: CodeAnswer;
  /** The QR code's age when it was approved. */
  codeAgeSeconds: number;
  /** A value of `performance.now()`. */
  approvedAt: number;
  /** The site's response time, in milliseconds. */
  answeredMs: number;
};

/** The direction from the phone to the page: sideways, or up on a narrow screen. */
const WAYS = {
  left: "[--travel-y:-16rem] lg:[--travel-x:-22rem] lg:[--travel-y:0]",
  right: "[--travel-y:-16rem] md:[--travel-x:24rem] md:[--travel-y:0]",
};

export function TrialWalletCard({
  wallet,
  qr,
  page = "right",
  makesAccount = true,
  outcome = null,
  isUndone = false,
  onDecline,
  onAnswered,
  onUndone,
}: {
  wallet: TrialWallet;
  qr: string | null;
  page?: keyof typeof WAYS;
  makesAccount?: boolean;
  outcome?: string | null;
  /** True if the page shows that the login was undone. */
  isUndone?: boolean;
  onDecline: () => void;
  /** Called once, after the site has accepted the response. */
  onAnswered?: (receipt: TrialReceipt) => void;
  onUndone?: () => void;
}) {
  const { request, asking, siteClock, undoable, approve, undone } = useTrialRequest(wallet, qr, onAnswered);
  const heading = useRef<HTMLHeadingElement>(null);
  const question = useRef<HTMLDivElement>(null);
  const ready = useApprovalDelay(asking !== undefined);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  const payload = request && "payload" in request ? request.payload : null;
  const isOpen = request?.phase === "asking";
  const isSiteNotified = isOpen && asking !== undefined;
  const accepted = request?.phase === "answered" && request.result.ok;
  // A phone might have scanned and answered the page's QR code.
  const isDone = accepted || (outcome !== null && request?.phase !== "sending");
  useEffect(() => {
    // On a phone, the wallet is below the QR code. Scrolls until the question and both buttons are visible.
    if (isSiteNotified) question.current?.scrollIntoView({ block: "nearest" });
  }, [isSiteNotified]);
  return (
    <PhoneFrame aria-labelledby="trial-wallet" data-phase={request?.phase} className="mx-auto min-h-160">
      <p role="status" className="sr-only">
        {describeStatus(request)}
      </p>
      {request && payload && <DataInTransit request={request} way={WAYS[page]} text={payload.challenge} />}
      <div ref={question} className="scroll-my-6">
        <h2
          id="trial-wallet"
          ref={heading}
          tabIndex={-1}
          className="text-center font-semibold text-sm outline-none"
        >
          Temporary wallet
        </h2>
        {isDone ? (
          <Done {...{ request, outcome, isUndone }} />
        ) : (
          <>
            <p className="mt-1 text-center text-muted-foreground text-sm">
              {makesAccount ? "This new wallet will create an account." : "A new wallet, only for this test."}{" "}
              It exists only in this tab. If you close or reload the page, it’s gone.
            </p>
            <OpenRequest request={request} asking={asking} siteClock={siteClock} />
            {request?.phase !== "sending" && (
              <div className="mt-4 grid grid-cols-2 gap-3">
                <Button onClick={onDecline}>Decline</Button>
                <Button variant="primary" disabled={!ready || !isOpen} onClick={approve}>
                  Approve
                </Button>
              </div>
            )}
          </>
        )}
        {undoable && makesAccount && (
          <UndoLogin
            login={undoable}
            onUndone={() => {
              undone();
              onUndone?.();
            }}
          />
        )}
      </div>
      {payload && !isDone && <SignedText payload={payload} />}
    </PhoneFrame>
  );
}

function Done({
  request,
  outcome,
  isUndone,
}: {
  request: WalletRequest | null;
  outcome: string | null;
  isUndone: boolean;
}) {
  return (
    <div className="mt-6 grid gap-5 text-center">
      <OutcomeIcon isUndone={isUndone} />
      {request?.phase === "answered" && request.result.ok ? (
        <>
          <p>{outcome ?? request.result.advice}</p>
          <SigningKeyName {...request} />
        </>
      ) : (
        <p>Another wallet approved this code.</p>
      )}
    </div>
  );
}

function OutcomeIcon({ isUndone }: { isUndone: boolean }) {
  const look = { "aria-hidden": true, strokeWidth: 1.5 } as const;
  return isUndone ? (
    <Undo2 {...look} className="mx-auto size-16 text-muted-foreground" />
  ) : (
    <CircleCheck {...look} className="mx-auto size-16 animate-arrive text-success" />
  );
}

type TrialRequest = ReturnType<typeof useTrialRequest>;

function OpenRequest({ request, asking, siteClock }: Pick<TrialRequest, "request" | "asking" | "siteClock">) {
  if (!request) {
    return <p className="mt-4 text-center text-muted-foreground">Waiting for the page’s code…</p>;
  }
  const payload = "payload" in request ? request.payload : null;
  const showsFacts = request.phase === "asking" || request.phase === "sending";
  return (
    <>
      {payload && (
        <div className="mt-3 border-t pt-3">
          <RequestTitle payload={payload} phase={request.phase} />
          {showsFacts && (
            <RequestFacts payload={payload} sites={[]} trusts={[]} asking={asking} siteClock={siteClock} />
          )}
        </div>
      )}
      <RequestOutcome request={request} />
    </>
  );
}

function SignedText({ payload }: { payload: Payload }) {
  return (
    <Disclosure summary="Exactly what this wallet signs" className="mt-3 border-t pt-1">
      {payload.kind === "fast" ? (
        <p className="wrap-anywhere mb-3 rounded-base bg-muted p-3 font-mono text-sm">{payload.signed}</p>
      ) : (
        <ChallengeAnatomy payload={payload} className="mb-3" />
      )}
    </Disclosure>
  );
}

function DataInTransit({ request, way, text }: { request: WalletRequest; way: string; text: string }) {
  const answer = request.phase === "sending" || request.phase === "answered";
  if (!answer && !isOpenQuestion(request)) return null;
  const signature =
    request.phase === "answered" && "signature" in request.result ? request.result.signature : text;
  return (
    <Message
      key={String(answer)}
      className={joinClassNames(
        "inset-x-0 top-1/3 mx-auto w-fit animate-travel",
        way,
        answer ? "bg-success text-background" : "[animation-direction:reverse]",
      )}
    >
      {String(signature)}
    </Message>
  );
}

function useTrialRequest(
  wallet: TrialWallet,
  qr: string | null,
  onAnswered?: (receipt: TrialReceipt) => void,
) {
  // The QR codes belong to this site, so the wallet need not store data about other sites.
  const flow = useMemo(() => new RequestFlow({ trustedHosts: wallet.trustedHosts }), [wallet]);
  const flowState = useFlow(flow);
  const { request } = flowState;
  useEffect(() => {
    if (qr !== null) void openShownCode(flow, qr);
  }, [qr, flow]);

  const approve = async () => {
    if (request?.phase !== "asking") return;
    const { payload } = request;
    const approvedAt = performance.now();
    const codeAgeSeconds = flow.siteClock.now(payload) - payload.issuedAt;
    let answeredMs = 0;
    const timed: typeof fetch = async (input, init) => {
      const start = performance.now();
      const response = await fetch(input, init);
      answeredMs = performance.now() - start;
      return response;
    };
    const answer = await flow.approve(wallet.unlock, { fetch: timed });
    if (answer?.ok) onAnswered?.({ payload, answer, codeAgeSeconds, approvedAt, answeredMs });
  };
  return { ...flowState, approve };
}

/** Does nothing while a response is being sent or after one has been accepted. */
async function openShownCode(flow: RequestFlow, qr: string): Promise<void> {
  const { request } = flow.state();
  if (request?.phase === "sending" || (request?.phase === "answered" && request.result.ok)) return;
  if (!(await flow.renew(qr))) await flow.open(qr);
}

export function PermanentWalletHint({ qr }: { qr: string | null }) {
  return (
    <>
      To keep your account, use a permanent wallet:{" "}
      <TextLink
        href={qr === null ? "/wallet" : `/wallet#${encodeURIComponent(qr)}`}
        target="_blank"
        rel="noreferrer"
      >
        create one in this browser<span className="sr-only"> (opens a new tab)</span>
      </TextLink>
    </>
  );
}
