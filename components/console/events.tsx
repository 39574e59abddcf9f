"use client";

import { useEffect, useState } from "react";
import { CodeBlock, ColouredJson, indentJson } from "#components/ui/code.tsx";
import { Fact, Facts } from "#components/ui/details.tsx";
import type { DeliveryDetail, DeliveryItem } from "#lib/hosted/contract/event.ts";
import { serverNow } from "#packages/login/client/server-clock.ts";
import { Badge, TextLink } from "#packages/react/ui/elements.tsx";
import { ChevronRight } from "#packages/react/ui/icons.tsx";
import { TimeAgo } from "#packages/react/ui/time.tsx";
import { EVENT_STATUSES, isTestInboxUrl } from "./console-page.tsx";
import { useApiMode, useLiveData } from "./live.tsx";
import { OperationForm } from "./operation-form.tsx";
import { isDelivered } from "./session-timeline.tsx";

/** The status of a pending event after a failed attempt. */
const RETRYING = { name: "Retrying", tone: "danger" } as const;

export function EventRow({ delivery }: { delivery: DeliveryItem }) {
  const [isOpen, setIsOpen] = useState(false);
  const { event, status, created_at, url, attempts, next_attempt_at } = delivery;
  const last = attempts[0];
  const { name, tone } = status === "pending" && last ? RETRYING : EVENT_STATUSES[status];
  // The user might have opened the element before the scripts ran.
  const noticeOpen = (details: HTMLDetailsElement | null) => {
    if (details?.open) setIsOpen(true);
  };
  return (
    <details
      ref={noticeOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      className="group"
    >
      <summary className="-mx-2 grid min-h-11 cursor-pointer grid-cols-[auto_auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 rounded-base px-2 py-2 hover:bg-muted sm:grid-cols-[auto_6rem_minmax(0,1fr)_auto]">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted-foreground group-open:rotate-90 motion-safe:transition-transform"
        />
        <span>
          <Badge tone={tone}>{name}</Badge>
        </span>
        <span className="font-semibold text-sm">{event}</span>
        <span className="col-start-2 col-end-[-1] text-muted-foreground text-sm sm:col-start-4 sm:row-start-1 sm:text-right">
          <TimeAgo iso={created_at} />
        </span>
        <span className="wrap-anywhere col-start-2 col-end-[-1] text-muted-foreground text-sm sm:col-start-3">
          {last ? `${last.status ?? "No answer"} in ${last.latency_ms} ms from ` : "On its way to "}
          {isTestInboxUrl(url) ? "the test inbox" : new URL(url).host}
          {attempts.length > 1 && `, ${attempts.length} attempts`}
          {status === "pending" && last && next_attempt_at && (
            <>
              . <TimeUntil at={next_attempt_at} prefix="Next attempt" />
            </>
          )}
        </span>
      </summary>
      {isOpen && (
        <div className="mt-2 mb-4 pl-7 max-sm:pl-0">
          <EventDetail delivery={delivery} />
        </div>
      )}
    </details>
  );
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * For example "Next attempt in 28 s", "in 9 min" or "in 2 h". Not a live region, so that screen readers do not announce
 * every second.
 */
function TimeUntil({ at, prefix }: { at: string; prefix: string }) {
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    const count = () => setSeconds(Math.ceil((Date.parse(at) - serverNow()) / 1000));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [at]);
  return (
    <span title={at} className="whitespace-nowrap tabular-nums">
      {`${prefix} ${seconds === null ? "soon" : waitInWords(seconds)}`}
    </span>
  );
}

function waitInWords(seconds: number): string {
  if (seconds <= 0) return "now";
  if (seconds < 2 * MINUTE) return `in ${seconds} s`;
  return seconds < 2 * HOUR ? `in ${Math.round(seconds / MINUTE)} min` : `in ${Math.round(seconds / HOUR)} h`;
}

export function EventDetail({ delivery }: { delivery: DeliveryItem }) {
  const mode = useApiMode();
  const { id, url, session_id } = delivery;
  const isUnsettled = (current: DeliveryItem = delivery) => current.status === "pending";
  const detail = useLiveData<DeliveryDetail | undefined>(`/deliveries/${id}`, undefined, isUnsettled);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Facts>
        <Fact name="Sent to">{isTestInboxUrl(url) ? "Test inbox" : url}</Fact>
        <Fact name="Event">
          <code className="font-mono">{id}</code>
        </Fact>
        {session_id && (
          <Fact name="Session">
            <TextLink href={`/console/${mode}/sessions/${session_id}`} className="font-mono">
              {session_id}
            </TextLink>
          </Fact>
        )}
      </Facts>
      {/* Shows the attempts and the body only once both have loaded, so that nothing moves. */}
      {detail && (
        <>
          {detail.attempts.length === 0 && (
            <p className="text-muted-foreground text-sm">No attempt yet. The first one is on its way.</p>
          )}
          {detail.attempts.map((attempt, index) => (
            <Attempt
              key={attempt.at}
              {...attempt}
              number={detail.attempts.length - index}
              url={url}
              isOpen={index === 0}
            />
          ))}
          <CodeBlock label="Body" code={detail.body}>
            {/* The displayed body is indented. The body that was signed, and that the button copies, is not. */}
            <ColouredJson code={indentJson(detail.body)} />
          </CodeBlock>
          <OperationForm route="POST /deliveries/:id/resend" of={id} size="small" />
        </>
      )}
    </div>
  );
}

type AttemptProps = DeliveryDetail["attempts"][number] & {
  number: number;
  url: string;
  isOpen: boolean;
};

function Attempt({ number, headers, url, isOpen, ...attempt }: AttemptProps) {
  const { at, status, error, latency_ms, answer } = attempt;
  return (
    <details open={isOpen} className="rounded-base border">
      <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 rounded-base px-3 py-1 text-sm hover:bg-muted">
        <span className="font-semibold">Attempt {number}</span>
        <Badge tone={isDelivered(attempt) ? "success" : "danger"}>{status ?? "No answer"}</Badge>
        <span className="text-muted-foreground tabular-nums">{`${latency_ms} ms`}</span>
        <span className="ml-auto text-muted-foreground">
          <TimeAgo iso={at} />
        </span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t p-3">
        {error && <p className="wrap-anywhere text-danger text-sm">{error}</p>}
        {headers && <CodeBlock label="Request headers" code={headerLines(url, headers)} />}
        {answer && <CodeBlock label={`Response ${status ?? ""}`} code={answer} />}
      </div>
    </details>
  );
}

function headerLines(url: string, headers: Record<string, string>): string {
  return [`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n");
}
