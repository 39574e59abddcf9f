"use client";

import { CodeBlock, ColouredJson, indented } from "#components/ui/code.tsx";
import { Badge, Fact, Facts, TextLink } from "#components/ui/elements.tsx";
import { LocalTime } from "#components/ui/time.tsx";
import type { DeliveryDetail, DeliveryItem } from "#lib/hosted/contract/event.ts";
import { ActionButton, useLive, useMode } from "./console-action.tsx";
import { isInbox } from "./console-page.tsx";
import { isDelivered } from "./session-timeline.tsx";

/** What was sent for an event, and what came back: its body, and the headers and answer of each attempt. */
export function EventDetail({ delivery }: { delivery: DeliveryItem }) {
  const mode = useMode();
  const { id, url, session_id, attempts } = delivery;
  const isPending = () => delivery.status === "pending";
  const detail = useLive<DeliveryDetail | undefined>(`/deliveries/${id}`, undefined, isPending);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Facts>
        <Fact name="Sent to">{isInbox(url) ? "Test inbox" : url}</Fact>
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
      {detail && (
        <CodeBlock label="Body" code={detail.body}>
          {/* What is signed, and copied, has neither line breaks nor indentation. */}
          <ColouredJson code={indented(detail.body)} />
        </CodeBlock>
      )}
      {attempts.length === 0 ? (
        <p className="text-muted-foreground text-sm">No attempt yet. The first one is on its way.</p>
      ) : (
        <ol className="grid gap-3">
          {attempts.map((attempt, index) => (
            <li key={attempt.at}>
              <Attempt
                {...attempt}
                number={attempts.length - index}
                headers={detail?.attempts.find(({ at }) => at === attempt.at)?.headers ?? null}
                url={url}
                isOpen={index === 0}
              />
            </li>
          ))}
        </ol>
      )}
      <ActionButton
        path={`/deliveries/${id}/resend`}
        label="Send again"
        pendingLabel="Sending…"
        size="small"
      />
    </div>
  );
}

type AttemptProps = DeliveryItem["attempts"][number] & {
  number: number;
  headers: Record<string, string> | null;
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
        <span className="text-muted-foreground tabular-nums">{latency_ms} ms</span>
        <span className="ml-auto text-muted-foreground">
          <LocalTime iso={at} />
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
