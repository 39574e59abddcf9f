"use client";

import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import useSWR, { mutate } from "swr";
import { LoginPage, type LoginPageProps } from "#components/trial/login-page.tsx";
import { CodeBlock, ColouredJson } from "#components/ui/code.tsx";
import { withCodeHandover } from "#components/wallet/code-handover.ts";
import type { DeliveryDetail } from "#lib/hosted/contract/event.ts";
import { fetchJson, fetchJsonOrThrow, readField } from "#packages/login/client/fetch-json.ts";
import { parseCheckOutcome, parseIssueOutcome } from "#packages/login/client/login-source.ts";
import { useHydrated } from "#packages/react/ui/button.tsx";
import { ButtonLink, joinClassNames } from "#packages/react/ui/button-look.tsx";
import { Section } from "#packages/react/ui/elements.tsx";
import { CircleCheck } from "#packages/react/ui/icons.tsx";

const BASE = "/api/hosted-demo";
const POLL_MS = 1_500;

/** As returned by `GET /api/hosted-demo/qr`. */
type ApiCall = {
  method: string;
  path: string;
  body: unknown;
  status: number;
  answer: unknown;
  latencyMs: number;
};

type Trace = {
  answers: { at: string; accepted: boolean; reason: string | null }[];
  events: {
    event: string;
    path: string;
    body: unknown;
    attempts: Omit<DeliveryDetail["attempts"][number], "answer">[];
  }[];
  redeemed_at: string | null;
};

/** The login source stores both in SWR's cache. */
type LoginTrace = { sid: string | null; calls: ApiCall[] };
const PANEL_TITLE = "behind the hosted login";
const EMPTY_TRACE: LoginTrace = { sid: null, calls: [] };

const TRACED_SOURCE = withCodeHandover({
  provider: "hosted",
  async issue(sid) {
    const fetched = await fetchJson(`${BASE}/qr?${new URLSearchParams(sid === null ? {} : { sid })}`);
    if (fetched.kind !== "ok") return fetched;
    const outcome = parseIssueOutcome(fetched.body);
    if (outcome.kind === "issued") {
      const apiCalls = readField(fetched.body, "calls") as ApiCall[];
      const add = ({ sid, calls } = EMPTY_TRACE): LoginTrace => ({
        sid: outcome.sid,
        calls: outcome.sid === sid ? [...calls, ...apiCalls] : apiCalls,
      });
      await mutate(PANEL_TITLE, add, { revalidate: false });
    }
    return outcome;
  },
  async check(sid) {
    const fetched = await fetchJson(`${BASE}/check?${new URLSearchParams({ sid })}`);
    return fetched.kind === "ok" ? parseCheckOutcome(fetched.body) : fetched;
  },
  eventsUrl: (sid) => `${BASE}/events?${new URLSearchParams({ sid })}`,
});

const EVENT_DELAY_MS = 2_000;

/**
 * Visitors who came to see how hosted login works stay on the page: the last steps show the event and the redemption.
 */
export function DemoLogin(props: Omit<LoginPageProps, "action" | "source" | "trial">) {
  const router = useRouter();
  // Updates the signed-in user in the header. If the login was undone, the event about this arrives a moment later, so
  // the page is refreshed again.
  const stay = useCallback(() => {
    router.refresh();
    setTimeout(router.refresh, EVENT_DELAY_MS);
  }, [router]);
  const end = props.callbackUrl === null && {
    onAnswered: stay,
    next: (
      <ButtonLink variant="primary" href="/dashboard">
        Open your dashboard
      </ButtonLink>
    ),
  };
  return <LoginPage {...props} {...end} action="login" source={TRACED_SOURCE} />;
}

export function HostedTrace() {
  const { data: { sid, calls } = EMPTY_TRACE } = useSWR<LoginTrace>(PANEL_TITLE, null);
  const { data } = useSWR<Trace>(
    sid === null ? null : `${BASE}/trace?${new URLSearchParams({ sid })}`,
    fetchJsonOrThrow,
    { refreshInterval: POLL_MS, keepPreviousData: false },
  );
  const steps = stepsOf(sid, calls, data ?? null);
  const latest = steps.findLastIndex(({ done }) => done !== null);
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState<number | null>(null);
  const shownStep = chosen ?? Math.max(latest, 0);
  return (
    <Section
      id="behind"
      title="Behind the scenes"
      text="The real requests of this login, live. The API key and the webhook secret stay on the server."
      className="@container"
      data-needs-script
    >
      <ol className="grid gap-2 @2xl:grid-cols-4">
        {steps.map(({ title, done, waiting }, index) => (
          <li key={title} className="grid">
            <button
              type="button"
              disabled={!hydrated}
              aria-pressed={index === shownStep}
              onClick={() => setChosen(index)}
              className="grid min-h-11 content-center gap-x-3 gap-y-1 rounded-base border px-3 py-2 text-left text-sm hover:bg-muted aria-pressed:border-primary aria-pressed:bg-muted @sm:grid-cols-[7.5rem_minmax(0,1fr)] @2xl:grid-cols-1 @2xl:content-start"
            >
              <span className="flex items-center gap-2 font-semibold">
                <span
                  aria-hidden
                  className={joinClassNames(
                    "flex size-5 shrink-0 items-center justify-center",
                    done === null && "text-muted-foreground",
                  )}
                >
                  {done === null ? index + 1 : <CircleCheck className="size-5 animate-arrive text-success" />}
                </span>
                {title}
              </span>
              <span className="wrap-anywhere text-muted-foreground">{done ?? waiting}</span>
            </button>
          </li>
        ))}
      </ol>
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] content-start gap-3 xl:min-h-140">
        {steps[shownStep]?.detail}
      </div>
    </Section>
  );
}

type Step = {
  title: string;
  /** A few words, or null until the step has happened. */
  done: string | null;
  waiting: string;
  detail: React.ReactNode;
};

function stepsOf(sid: string | null, calls: ApiCall[], trace: Trace | null): Step[] {
  return [codeStep(calls), answerStep(sid, trace), eventStep(trace), redeemStep(sid, trace)];
}

function codeStep(calls: ApiCall[]): Step {
  const call = calls.at(-1);
  return {
    title: "A code",
    done: call
      ? `${call.path.split("/").slice(0, 4).join("/")}: ${call.status} in ${call.latencyMs} ms`
      : null,
    waiting: "This site’s server asks the API",
    detail: call ? (
      <>
        <SentText>
          This site’s server asks the API for a session, and then for a new code every 30 seconds. The browser
          gets only the code.
        </SentText>
        <JsonBlock
          label={calls.length > 1 ? `The latest of ${calls.length} requests` : "Request"}
          code={httpText([`${call.method} ${call.path}`, "Authorization: Bearer svc_test_…"], call.body)}
        />
        <JsonBlock label={`Response ${call.status}`} code={JSON.stringify(call.answer, null, 2)} />
      </>
    ) : (
      <SentText>Asking for the first code…</SentText>
    ),
  };
}

function answerStep(sid: string | null, trace: Trace | null): Step {
  const answer = trace?.answers.find(({ accepted }) => accepted);
  const refusedAnswer = trace?.answers.find(({ accepted }) => !accepted);
  return {
    title: "The answer",
    done: answer ? `Accepted at ${timeOf(answer.at)}` : null,
    waiting: refusedAnswer
      ? `Refused at ${timeOf(refusedAnswer.at)}, waiting for another`
      : "Waiting for a wallet",
    detail: (
      <>
        <SentText>
          The wallet posts its signature to the API, not to this site. The API accepts it only once, and only
          if the key signed exactly this challenge within 30 seconds.
        </SentText>
        <CodeBlock
          label="The wallet’s request"
          code={[
            `POST /webhook/sessions/${sid ?? "…"}`,
            ...(trace?.answers ?? []).map(
              ({ at, accepted, reason }) =>
                `${timeOf(at)}  ${accepted ? "200 accepted" : `refused: ${reason}`}`,
            ),
          ].join("\n")}
        />
      </>
    ),
  };
}

function eventStep(trace: Trace | null): Step {
  const event = trace?.events[0];
  const attempt = event?.attempts[0];
  return {
    title: "The event",
    done: attempt?.status === 204 ? `Signature verified: 204 in ${attempt.latency_ms} ms` : null,
    waiting: attempt
      ? `Not accepted: ${attempt.status ?? attempt.error}`
      : "The API notifies this site’s server",
    detail:
      event && attempt ? (
        <>
          <SentText>
            This site’s server computed the signature again, with the secret that it shares with the API, and
            the result matched <span className="font-mono">webhook-signature</span>. So it accepted the body.
          </SentText>
          <JsonBlock
            label="The API’s request"
            code={httpText(
              [
                `POST ${event.path}`,
                ...Object.entries(attempt.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
              ],
              event.body,
            )}
          />
          <SentText>
            The details of the wallet’s device are left out here, because only the server receives them.
          </SentText>
        </>
      ) : (
        <SentText>
          When a wallet has answered, the API posts an event to this site’s webhook. The event is signed with
          a secret that only the two servers have.
        </SentText>
      ),
  };
}

function redeemStep(sid: string | null, trace: Trace | null): Step {
  return {
    title: "Signed in",
    done: trace?.redeemed_at ? `Redeemed at ${timeOf(trace.redeemed_at)}` : null,
    waiting: "This browser redeems the login",
    detail: (
      <>
        <SentText>
          To finish the login, the browser sends this site the session’s id and a cookie. It can do so only
          once. Only the browser that started the login has the cookie, so someone who photographed the code
          cannot finish the login.
        </SentText>
        <CodeBlock
          label="This browser’s request"
          code={["POST /api/auth/callback/hosted", "Cookie: svc-browser=…", "", `sid=${sid ?? "…"}`].join(
            "\n",
          )}
        />
      </>
    ),
  };
}

function JsonBlock({ label, code }: { label: string; code: string }) {
  return (
    <CodeBlock label={label} code={code}>
      <ColouredJson code={code} />
    </CodeBlock>
  );
}

function SentText({ children }: { children: React.ReactNode }) {
  return <p className="max-w-prose text-muted-foreground text-sm">{children}</p>;
}

function httpText(lines: string[], body: unknown): string {
  return [...lines, "", JSON.stringify(body, null, 2)].join("\n");
}

/** UTC, to the millisecond, for comparison with a server's log. */
const timeOf = (iso: string) => `${iso.slice(11, 23)} UTC`;
