"use client";

import { type LoginSource, shownCode, siteSource, useLogin } from "@svc/login/client";
import { fingerprintWords } from "@svc/login/protocol";
import { useRouter } from "next/navigation";
import {
  type Dispatch,
  Fragment,
  type SetStateAction,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { BrowserFrame, STAGE_CLASS } from "#components/site/login-scene.tsx";
import { DataNotSent, DataSentToSite } from "#components/site/what-is-signed.tsx";
import { formatHttpsQr } from "#packages/login/protocol/qr-payload.ts";
import { LoginPanel } from "#packages/react/login/login-panel.tsx";
import { ButtonLink, joinClassNames } from "#packages/react/ui/button-look.tsx";
import { Check } from "#packages/react/ui/icons.tsx";
import type { TrialReceipt } from "./trial-wallet-card.tsx";
import { SIGNED_IN_MESSAGE, type Trial } from "./try-out.tsx";

// Created only once, because a login source must be the same object in every render. Signs in with one request.
const SOURCE = forCameras(siteSource("register", { direct: true }));

const UNDONE = "You approved this sign-in, then undid it.";

/**
 * Makes a source return QR codes in https form (docs/protocol.md#12-qr-payload). A phone's camera opens such a code as
 * a page that offers a wallet in the browser.
 */
function forCameras(source: LoginSource): LoginSource {
  const issue: LoginSource["issue"] = async (sid) => {
    const outcome = await source.issue(sid);
    return outcome.kind === "issued" ? { ...outcome, qr: httpsForm(outcome.qr) } : outcome;
  };
  return { ...source, issue };
}

function httpsForm(qr: string): string {
  const { searchParams } = new URL(qr);
  const [webhook, session, challenge] = ["webhook", "session", "challenge"].map((name) =>
    searchParams.get(name),
  );
  return webhook && session && challenge ? formatHttpsQr({ webhook, session, challenge, intent: null }) : qr;
}

export function LiveStage({
  domain,
  address,
  userId,
  trial,
  isUndone,
  onStep,
  onDecline,
  onUndone,
}: {
  domain: string;
  address: string;
  userId: number | null;
  trial: Trial;
  isUndone: boolean;
  onStep: Dispatch<SetStateAction<number>>;
  onDecline: () => void;
  onUndone: () => void;
}) {
  const router = useRouter();
  const [receipt, setReceipt] = useState<TrialReceipt | null>(null);
  const [isOver, setOver] = useState(false);
  const finish = useCallback(() => {
    setOver(true);
    // Updates the signed-in user in the header.
    router.refresh();
  }, [router]);
  const login = useLogin(SOURCE, null, finish);
  const signedInAt = useRef<number>(null);
  const { phase } = login.state;
  useEffect(() => {
    if (phase !== "signed-in") return;
    signedInAt.current ??= performance.now();
    onStep((done) => Math.max(done, 3));
  }, [phase, onStep]);
  const showReceipt = (answer: TrialReceipt) => {
    setReceipt(answer);
    onStep((done) => Math.max(done, 2));
  };
  return (
    <div className={STAGE_CLASS}>
      <BrowserFrame address={address}>
        {isOver && receipt && signedInAt.current !== null ? (
          <LoginReceipt signedInAt={signedInAt.current} {...{ receipt, domain, userId, isUndone }} />
        ) : (
          <LoginPanel
            isBare
            action="register"
            domain={domain}
            login={login}
            ways={null}
            next={
              <ButtonLink variant="primary" href="/dashboard">
                Open your dashboard
              </ButtonLink>
            }
          >
            <DataSentToSite domain={domain} className="border-t pt-4 max-sm:hidden sm:grid-cols-2" />
          </LoginPanel>
        )}
      </BrowserFrame>
      <trial.TrialWalletCard
        wallet={trial.wallet}
        qr={shownCode(login.state)}
        page="left"
        isUndone={isUndone}
        outcome={isUndone ? UNDONE : phase === "signed-in" ? SIGNED_IN_MESSAGE : null}
        onDecline={onDecline}
        onAnswered={showReceipt}
        onUndone={() => {
          onUndone();
          router.refresh();
        }}
      />
    </div>
  );
}

/** All data is real. */
function LoginReceipt({
  receipt: { payload, answer, codeAgeSeconds, approvedAt, answeredMs },
  signedInAt,
  domain,
  userId,
  isUndone,
}: {
  receipt: TrialReceipt;
  /** A value of `performance.now()`. */
  signedInAt: number;
  domain: string;
  userId: number | null;
  isUndone: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    // Scrolls up to the receipt, which is above the phone on a narrow screen.
    heading.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const { signature, key } = answer;
  const name = key.fingerprint ?? "";
  return (
    <section aria-labelledby="receipt" className="grid gap-4 p-4 sm:p-6 md:pr-12">
      <div className="grid items-end gap-x-4 gap-y-2 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div>
          <h2 id="receipt" ref={heading} tabIndex={-1} className="font-semibold text-title outline-none">
            {isUndone ? "Signed out again" : "You’re signed in"}
          </h2>
          <p className="text-muted-foreground text-sm">
            {isUndone
              ? "You undid this sign-in in the wallet."
              : `${userId === null ? "With a new account" : `As user ${userId}, a new account`} at ${domain}`}
          </p>
        </div>
        <p className={joinClassNames("sm:text-right", isUndone && "invisible")}>
          <strong className="block font-semibold text-success text-title tabular-nums">
            {Math.round(signedInAt - approvedAt)} ms
          </strong>
          <span className="block text-muted-foreground text-sm">since you approved</span>
        </p>
      </div>
      <dl className="divide-y divide-dashed border-y border-dashed text-sm">
        <Line name="The site asked">
          <code className="wrap-anywhere font-mono">
            {payload.challenge.split(":").map((part, index) => (
              <Fragment key={part}>
                {index > 0 && (
                  <>
                    :<wbr />
                  </>
                )}
                {part}
              </Fragment>
            ))}
          </code>
        </Line>
        <Line name="Your wallet signed">
          <Code>{`${signature.slice(0, 36)}…${signature.slice(-12)}`}</Code>
        </Line>
        <Line name="Its key">
          <span className="block">{fingerprintWords(name)?.join(" ")}</span>
          <Code>{name}</Code>
        </Line>
        <div className="py-2.5">
          <dt className="text-muted-foreground">
            The site checked your answer in {Math.ceil(answeredMs)} ms
          </dt>
          {[
            `its own code, ${codeAgeSeconds.toFixed(1)} s old`,
            "the signature matches the key",
            "not used before",
            "this browser asked for it",
          ].map((check) => (
            <dd key={check} className="mt-1 flex gap-2 sm:inline-flex sm:w-1/2">
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
              {check}
            </dd>
          ))}
        </div>
      </dl>
      <div className="text-sm">
        <DataNotSent over />
      </div>
      <div className="flex flex-wrap gap-3">
        {isUndone ? (
          <ButtonLink href="/register">Create an account</ButtonLink>
        ) : (
          <ButtonLink variant="primary" href="/dashboard">
            Open your dashboard
          </ButtonLink>
        )}
        <ButtonLink href="/cheat">Now try to cheat</ButtonLink>
      </div>
    </section>
  );
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-1 py-2.5 sm:grid-cols-[8.5rem_minmax(0,1fr)]">
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function Code({ children }: { children: string }) {
  return <code className="wrap-anywhere font-mono">{children}</code>;
}
