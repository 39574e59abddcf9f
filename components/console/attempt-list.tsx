import { Badge } from "#components/ui/badge.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import type { DeliveryItem } from "#lib/hosted/contract/delivery-log.ts";

/** The attempts of an event: when, what came back, how long it took, and how the answer began. */
export function AttemptList({ attempts }: { attempts: DeliveryItem["attempts"] }) {
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
