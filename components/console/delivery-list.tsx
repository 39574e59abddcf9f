"use client";

import { ChevronRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Badge, type BadgeTone } from "#components/ui/badge.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { DeliveryItem } from "#lib/hosted/contract/event.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { ActionButton } from "./console-action.tsx";

const STATUSES: Record<DeliveryItem["status"], { name: string; tone: BadgeTone }> = {
  pending: { name: "Pending", tone: "warning" },
  delivered: { name: "Delivered", tone: "success" },
  failed: { name: "Failed", tone: "danger" },
};

/** Outgoing events, each with its attempts to be opened. */
export function DeliveryList({ mode, deliveries }: { mode: ApiMode; deliveries: DeliveryItem[] }) {
  return (
    <>
      <ul className="-mb-4 divide-y border-t">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="py-3">
            <Delivery mode={mode} delivery={delivery} />
          </li>
        ))}
      </ul>
      <RefreshWhile waiting={deliveries.some(({ status }) => status === "pending")} />
    </>
  );
}

function Delivery({ mode, delivery }: { mode: ApiMode; delivery: DeliveryItem }) {
  const { id, event, status, created_at, url, session_id, next_attempt_at, attempts } = delivery;
  const { name, tone } = STATUSES[status];
  const last = attempts[0];
  return (
    <details className="group">
      <summary className="-mx-2 flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 rounded-base px-2 py-1 hover:bg-muted">
        <ChevronRight
          aria-hidden
          className="-mr-1 size-4 shrink-0 text-muted-foreground group-open:rotate-90 motion-safe:transition-transform"
        />
        <Badge tone={tone}>{name}</Badge>
        <span className="font-semibold text-sm">{event}</span>
        {last && (
          <span className="text-muted-foreground text-sm">
            {last.status ?? "no answer"}, {last.latency_ms} ms
            {attempts.length > 1 && `, ${attempts.length} attempts`}
          </span>
        )}
        <span className="text-muted-foreground text-sm sm:ml-auto">
          <LocalTime iso={created_at} />
        </span>
      </summary>
      <div className="mt-3 mb-2 grid gap-4">
        <Facts>
          <Fact name="Sent to">{url}</Fact>
          <Fact name="webhook-id">
            <code className="font-mono">{id}</code>
          </Fact>
          {session_id && (
            <Fact name="Session">
              <TextLink href={`/console/${mode}/sessions/${session_id}`} className="font-mono">
                {session_id}
              </TextLink>
            </Fact>
          )}
          {status === "pending" && next_attempt_at && attempts.length > 0 && (
            <Fact name="Next attempt">
              <LocalTime iso={next_attempt_at} />
            </Fact>
          )}
        </Facts>
        <AttemptList attempts={attempts} />
        <ActionButton
          mode={mode}
          path={`/deliveries/${id}/resend`}
          label="Send again"
          pendingLabel="Sending…"
          size="small"
        />
      </div>
    </details>
  );
}

/** The attempts of an event: when, what came back, how long it took, and how the answer began. */
function AttemptList({ attempts }: { attempts: DeliveryItem["attempts"] }) {
  if (attempts.length === 0) {
    return <p className="text-muted-foreground text-sm">No attempt yet. The first one is on its way.</p>;
  }
  return (
    <ol className="divide-y rounded-base border px-3">
      {attempts.map(({ at, status, error, latency_ms, answer }) => (
        <li key={at} className="grid gap-2 py-3 text-sm">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone={error === null && status !== null && status < 300 ? "success" : "danger"}>
              {status ?? "No answer"}
            </Badge>
            <span className="tabular-nums">{latency_ms} ms</span>
            <span className="text-muted-foreground">
              <LocalTime iso={at} />
            </span>
          </p>
          {error && <p className="wrap-anywhere text-danger">{error}</p>}
          {answer && (
            <pre className="wrap-anywhere whitespace-pre-wrap rounded-base bg-muted p-2 font-mono">
              {answer}
            </pre>
          )}
        </li>
      ))}
    </ol>
  );
}

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Asks the server for the page again while something on it is under way: soon at first, then less and less often. */
function RefreshWhile({ waiting }: { waiting: boolean }) {
  const router = useRouter();
  useEffect(() => {
    if (!waiting) return;
    let delay = FIRST_MS;
    let timer: ReturnType<typeof setTimeout>;
    const next = () => {
      timer = setTimeout(() => {
        if (!document.hidden) router.refresh();
        delay = Math.min(delay * 1.5, LONGEST_MS);
        next();
      }, delay);
    };
    next();
    return () => clearTimeout(timer);
  }, [waiting, router]);
  return null;
}
