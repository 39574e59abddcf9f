"use client";

import { createTrialWallet, type TrialWallet } from "@svc/wallet/trial-wallet";
import { useEffect, useMemo, useState } from "react";
import { TrialWalletCard } from "#components/trial/trial-wallet-card.tsx";
import type { LoginTimeline } from "#lib/hosted/contract/console.ts";
import { fetchJson, readField, readTextField, requestChange } from "#packages/login/client/fetch-json.ts";
import type { IssueOutcome, LoginSource } from "#packages/login/client/login-source.ts";
import { getWatchedSid, shownCode } from "#packages/login/client/login-state.ts";
import { useLogin } from "#packages/login/client/use-login.ts";
import { LoginPanel } from "#packages/react/login/login-panel.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import { CopyButton } from "#packages/react/ui/copy-button.tsx";
import { Card, Notice, Section, TextLink } from "#packages/react/ui/elements.tsx";
import { CircleCheck } from "#packages/react/ui/icons.tsx";
import { EventDetail } from "./events.tsx";
import { CONSOLE_API, useLiveData } from "./live.tsx";
import { buildTimeline, SessionTimeline } from "./session-timeline.tsx";
import { isInProgress, timelinePath } from "./sessions.tsx";

/** @param props.starts false to wait for a click */
export function TestLogin({ domain, starts }: { domain: string | null; starts: boolean }) {
  const [round, setRound] = useState(starts ? 1 : 0);
  if (round === 0) return <StartTestLogin domain={domain ?? "localhost"} onStart={() => setRound(1)} />;
  return <OneTestLogin key={round} domain={domain} onAgain={() => setRound(round + 1)} />;
}

function StartTestLogin({ domain, onStart }: { domain: string; onStart: () => void }) {
  return (
    <Card aria-label="Start" className="grid justify-items-start gap-4">
      <p className="max-w-prose text-muted-foreground">
        This creates a session for {domain} with your test data
        {domain === "localhost" && ", and registers that domain with the test inbox if it is new"}.
      </p>
      <Button variant="primary" onClick={onStart}>
        Start a test login
      </Button>
    </Card>
  );
}

const stay = () => {};

function OneTestLogin({ domain, onAgain }: { domain: string | null; onAgain: () => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const source = useMemo(() => testSource(domain, setProblem), [domain]);
  const login = useLogin(source, null, stay);
  const qr = shownCode(login.state);
  const [sid, setSid] = useState<string | null>(null);
  const [wallet, setWallet] = useState<TrialWallet | null>(null);
  const watched = getWatchedSid(login.state);
  useEffect(() => {
    if (watched !== null) setSid(watched);
  }, [watched]);
  useEffect(() => {
    // The QR codes are for a customer's domain, but responses are sent to this API. Only the trial wallet trusts this
    // API's host for every domain.
    const trialWallet = createTrialWallet([window.location.hostname]);
    setWallet(trialWallet);
    return () => trialWallet.forget();
  }, []);
  const timeline = useLiveData<LoginTimeline | undefined>(
    sid === null ? null : timelinePath(sid),
    undefined,
    (session) => session === undefined || isInProgress(session),
  );
  const session = timeline?.session;
  const name = session?.domain ?? domain ?? "localhost";
  const isDone = session?.status === "authenticated";
  return (
    <>
      {problem && <Notice tone="danger">{problem}</Notice>}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 md:grid-cols-2 xl:grid-cols-3">
        {isDone ? (
          <SignedIn domain={name} onAgain={onAgain} />
        ) : (
          <LoginPanel
            action="login"
            domain={name}
            login={login}
            ways={<CopyButton text={qr}>Copy link</CopyButton>}
          />
        )}
        {/* Reserves space, because the wallet appears only after the browser has created it. */}
        <div className="min-h-160">
          {wallet && (
            <TrialWalletCard
              wallet={wallet}
              qr={qr}
              page="left"
              makesAccount={false}
              outcome={isDone ? "Approved. Your server will receive the event." : null}
              onDecline={onAgain}
            />
          )}
        </div>
        <Section id="happens" title="What happens" className="md:max-xl:col-span-2">
          {timeline ? (
            <SessionTimeline items={buildTimeline(timeline.entries, timeline.deliveries)} />
          ) : (
            <p className="border-t pt-4 text-muted-foreground text-sm">Creating a session…</p>
          )}
        </Section>
      </div>
      {timeline?.deliveries.map((delivery) => (
        <Section
          key={delivery.id}
          aria-label="The event"
          title={delivery.status === "delivered" ? "Your event is delivered" : "Your event"}
          text={
            <>
              Your server checks its signature with the domain’s secret, then signs the user in.{" "}
              <TextLink href="/docs/guides/hosted-quickstart">How to receive it</TextLink>
            </>
          }
        >
          <EventDetail delivery={delivery} />
        </Section>
      ))}
    </>
  );
}

/** Has the QR code's size. */
function SignedIn({ domain, onAgain }: { domain: string; onAgain: () => void }) {
  return (
    <Card aria-label="Result" className="grid gap-4">
      <p className="text-center">
        <span className="block text-muted-foreground text-sm">Signed in to</span>
        <strong className="wrap-anywhere font-semibold text-title">{domain}</strong>
      </p>
      <div className="flex aspect-square w-full items-center justify-center rounded-base bg-success/10">
        <CircleCheck aria-hidden strokeWidth={1.5} className="size-24 animate-arrive text-success" />
      </div>
      <p role="status" className="min-h-6 font-semibold text-success">
        The wallet signed in
      </p>
      <Button onClick={onAgain}>Start another</Button>
    </Card>
  );
}

/** @param onProblem receives the server's error message, or null after a successful request */
function testSource(domain: string | null, onProblem: (message: string | null) => void): LoginSource {
  const ask = async (path: string, body: object): Promise<IssueOutcome> => {
    const answer = await requestChange(`${CONSOLE_API}test${path}`, "POST", body);
    if (answer.done) {
      onProblem(null);
      const [sid, qr] = [readTextField(answer.body, "id"), readTextField(answer.body, "qr_data")];
      return sid && qr ? { kind: "issued", sid, qr } : { kind: "broken" };
    }
    if (answer.status === 0) return { kind: "unreachable" };
    if (answer.status === 401) return { kind: "ended" };
    if (answer.status === 404 || answer.status === 410) return { kind: "gone" };
    onProblem(answer.message);
    return { kind: "broken" };
  };
  return {
    // This login does not sign in anyone.
    provider: null,
    issue: async (sid) => {
      const renewed = sid === null ? null : await ask(`/sessions/${encodeURIComponent(sid)}/refresh`, {});
      if (renewed && renewed.kind !== "gone") return renewed;
      return ask("/test-logins", domain === null ? {} : { domain });
    },
    check: async (sid) => {
      const fetched = await fetchJson(`${CONSOLE_API}test${timelinePath(sid)}`);
      if (fetched.kind !== "ok") return fetched;
      const isAuthenticated = readTextField(readField(fetched.body, "session"), "status") === "authenticated";
      return isAuthenticated ? { kind: "authenticated", redirect: null } : { kind: "pending" };
    },
    eventsUrl: () => null,
  };
}
