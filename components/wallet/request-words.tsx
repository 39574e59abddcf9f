"use client";

import { linksKey, type Purpose, REQUEST_TEXTS } from "@svc/wallet/purpose";
import type { Payload } from "@svc/wallet/read-payload";
import type { WalletRequest } from "@svc/wallet/request";
import { explainUndoEffect, UNDO_SECONDS, undoLogin } from "@svc/wallet/undo-login";
import { useState } from "react";
import { Summary } from "#components/ui/details.tsx";
import { KeyName } from "#packages/react/login/confirm-key.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import { Notice } from "#packages/react/ui/elements.tsx";

type AnsweredRequest = Extract<WalletRequest, { phase: "answered" }>;

const TITLES: Record<Purpose, string> = {
  login: "Sign in to",
  register: "Create an account at",
  approve: "Approve a change to your account at",
  add: "Link this key to an existing account at",
  recover: "Recover an existing account at",
};

/** The domain is the largest text. */
export function RequestTitle({ payload, phase }: { payload: Payload | null; phase: WalletRequest["phase"] }) {
  if (payload === null) {
    return (
      <h2 id="request-title" className="text-center font-semibold">
        {phase === "declined" ? "Declined" : "Not signed"}
      </h2>
    );
  }
  return (
    <h2 id="request-title" className="text-center">
      <span className="block text-muted-foreground text-sm">
        {phase === "refused" ? "Nothing was signed for" : TITLES[payload.purpose]}
      </span>{" "}
      <strong className="wrap-anywhere font-semibold text-title">{payload.domain}</strong>
    </h2>
  );
}

export function RequestOutcome({ request }: { request: WalletRequest }) {
  switch (request.phase) {
    case "asking":
      return request.problem ? (
        <Notice tone="warning" className="my-4">
          {request.problem} Try again, or decline.
        </Notice>
      ) : null;
    case "elsewhere":
      return (
        <Notice tone="warning" className="mt-4">
          This code would send your answer to another server. You can check with the site whether that is
          right. The site will then learn that somebody is about to sign in, but nothing will be signed yet.
        </Notice>
      );
    case "looking":
      return <Progress>Asking {request.payload.domain} which server receives its answers…</Progress>;
    case "confirming":
      return <Progress>Waiting for you to confirm…</Progress>;
    case "sending":
      return <Progress>{request.retry ?? "Signed. Waiting for the site’s answer…"}</Progress>;
    case "declined":
      return <Progress>Nothing was signed or sent to the site.</Progress>;
    case "refused":
      return <Refusal {...request} />;
    case "answered": {
      const { ok, advice, message } = request.result;
      return (
        <>
          <Notice tone={ok ? "success" : "warning"} className="mt-4">
            <p>{advice}</p>
            {message && <p className="mt-1 wrap-anywhere text-muted-foreground">The site says: {message}</p>}
          </Notice>
          {ok && <SigningKeyName {...request} />}
        </>
      );
    }
  }
}

function Progress({ children }: { children: React.ReactNode }) {
  return <p className="mt-4 text-center text-muted-foreground">{children}</p>;
}

/** The lines after the first are for the site's operators. */
function Refusal({ message, trust, ranOut }: Extract<WalletRequest, { phase: "refused" }>) {
  const [why, ...forSite] = message.split("\n");
  // An expired QR code is not an attack, but a response to another host might be.
  const title = trust ? "Blocked: someone may be trying to sign in as you" : "Your wallet did not sign this";
  const look = ranOut
    ? { tone: "warning" as const }
    : ({ tone: trust ? "blocked" : "danger", title } as const);
  return (
    <Notice {...look} className="mt-4">
      <p className="wrap-anywhere">{why}</p>
      {forSite.length > 0 && (
        <details className="mt-2">
          <Summary className="min-h-9">Is this site yours?</Summary>
          {forSite.map((line) => (
            <p key={line} className="wrap-anywhere mt-2">
              {line}
            </p>
          ))}
        </details>
      )}
    </Notice>
  );
}

/** Some pages ask users to compare the key before they continue. */
export function SigningKeyName({ payload, keyName }: AnsweredRequest) {
  if (!keyName) return null;
  return (
    <div className="mt-4 grid gap-1 text-center text-sm">
      <p className="text-muted-foreground">
        {payload.kind === "fast" ? "Your address" : `Your key for ${payload.domain}`}
      </p>
      <KeyName name={keyName} />
      {linksKey(payload.purpose) && (
        <p className="text-muted-foreground">
          The page should show the same. If it does not, choose “Not mine” there.
        </p>
      )}
    </div>
  );
}

/** The page's live region announces this to screen reader users. */
export function describeStatus(request: WalletRequest | null): string {
  switch (request?.phase) {
    case undefined:
      return "";
    case "asking": {
      const { domain, purpose } = request.payload;
      const question = `${domain} asks you to ${REQUEST_TEXTS[purpose]}. Approve or decline.`;
      return request.problem ? `${request.problem} ${question}` : question;
    }
    case "elsewhere": {
      const { domain, webhook } = request.payload;
      return `The answer for ${domain} would go to ${new URL(webhook).hostname}. Check with the site or decline.`;
    }
    case "looking":
      return `Asking ${request.payload.domain}.`;
    case "confirming":
      return "Waiting for you to confirm.";
    case "sending":
      return request.retry ?? "Signed. Waiting for the site’s answer.";
    case "declined":
      return "Declined. Nothing was signed.";
    case "refused":
      return `Not signed. ${request.message}`;
    case "answered":
      return request.result.advice;
  }
}

export type UndoableAnswer = {
  domain: string;
  browser: string;
  url: string;
  purpose: Purpose;
  /** Milliseconds since the epoch. */
  until: number;
  undone?: true;
};

export function findUndoableAnswer({
  payload,
  result: { signedIn },
}: AnsweredRequest): UndoableAnswer | null {
  if (!signedIn?.undo) return null;
  return {
    domain: payload.domain,
    browser: signedIn.name,
    url: signedIn.undo,
    purpose: payload.purpose,
    until: Date.now() + UNDO_SECONDS * 1000,
  };
}

/** Shown for ten minutes. */
export function UndoLogin({
  login: { url, purpose, undone },
  onUndone,
}: {
  login: UndoableAnswer;
  onUndone: () => void;
}) {
  const [pending, setPending] = useState(false);
  const [advice, setAdvice] = useState<string | null>(null);
  const press = async () => {
    if (pending) return;
    setPending(true);
    setAdvice(null);
    const result = await undoLogin(url, purpose);
    setPending(false);
    setAdvice(result.advice);
    if (result.ok) onUndone();
  };
  return (
    <div className="mt-4 grid gap-2 text-center">
      {!undone && (
        <>
          <p className="text-muted-foreground text-sm">
            Not your browser? You can undo this for ten minutes.
          </p>
          <Button variant="danger" aria-disabled={pending} onClick={press}>
            {pending ? "One moment…" : linksKey(purpose) ? "Undo" : "Undo: sign it out"}
          </Button>
        </>
      )}
      <p role="status" className="text-sm empty:absolute">
        {undone ? explainUndoEffect(purpose) : advice}
      </p>
    </div>
  );
}
