"use client";

import { createContext, type FormEvent, useCallback, useContext, useState } from "react";
import { CodeBlock, indentJson } from "#components/ui/code.tsx";
import { Summary } from "#components/ui/details.tsx";
import { Fields } from "#components/ui/fields.tsx";
import { API_KEY_VARIABLE } from "#lib/hosted/contract/snippet.ts";
import { API_BASE_PATHS, API_MODES, type ApiMode } from "#lib/hosted/contract/tenant.ts";
import { Button } from "#packages/react/ui/button.tsx";
import { Badge } from "#packages/react/ui/elements.tsx";
import { TextField } from "#packages/react/ui/text-field.tsx";

type Answer = { status: number; headers: string; body: string; latencyMs: number };

type TryResult = {
  id: string;
  method: string;
  path: string;
  query: string[];
  /** Null if the operation has no body. */
  body: string | null;
};

/** Uses the key from this page. Creates the form only when it is opened. */
export function TryOperation(result: TryResult) {
  const [opened, setOpened] = useState(false);
  const noticeOpen = (details: HTMLDetailsElement | null) => {
    if (details?.open) setOpened(true);
  };
  return (
    // The element might have been opened before the script ran.
    <details ref={noticeOpen} onToggle={({ currentTarget }) => noticeOpen(currentTarget)}>
      <Summary className="font-semibold text-primary">Try it</Summary>
      {opened && <TryForm {...result} />}
    </details>
  );
}

function TryForm({ id, method, path, query, body }: TryResult) {
  const caller = useTryKey();
  const [pending, setPending] = useState(false);
  const [answer, setAnswer] = useState<Answer | string | null>(null);
  const parameters = [
    ...[...path.matchAll(/:([a-z_]+)/g)].map(([, label = ""]) => ({
      name: `path.${label}`,
      label,
      required: true,
    })),
    ...query.map((name) => ({ name: `query.${name}`, label: `${name} (optional)` })),
  ];

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!caller) return;
    const form = new FormData(event.currentTarget);
    const value = (name: string) => String(form.get(name) ?? "");
    const filledPath = path.replace(/:([a-z_]+)/g, (_, name) =>
      encodeURIComponent(value(`path.${name}`).trim()),
    );
    const search = new URLSearchParams(
      query.map((name) => [name, value(`query.${name}`)]).filter(([, text]) => text !== ""),
    ).toString();
    setPending(true);
    setAnswer(
      await request(`${API_BASE_PATHS[caller.mode]}${filledPath}${search && `?${search}`}`, {
        method,
        headers: {
          Authorization: `Bearer ${caller.key}`,
          ...(body !== null && { "Content-Type": "application/json" }),
        },
        body: body === null ? null : value("body"),
      }),
    );
    setPending(false);
  };

  return (
    <form onSubmit={send} aria-label={`Try ${id}`} className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
      {parameters.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Fields fields={parameters} />
        </div>
      )}
      {body !== null && (
        <Fields fields={[{ name: "body", label: "Body", value: body, rows: body.split("\n").length + 1 }]} />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={!caller || pending}>
          {pending ? "Sending…" : caller ? `Send with the ${caller.mode} key` : "Send"}
        </Button>
        {!caller && (
          <p className="text-muted-foreground text-sm">
            Paste a key into{" "}
            <a href="#authentication" className="underline underline-offset-4">
              Authentication
            </a>{" "}
            first.
          </p>
        )}
      </div>
      <div aria-live="polite">
        {typeof answer === "string" && <p className="text-danger text-sm">{answer}</p>}
        {answer !== null && typeof answer === "object" && <ShownAnswer {...answer} />}
      </div>
    </form>
  );
}

function ShownAnswer({ status, headers, body, latencyMs }: Answer) {
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-center gap-3 text-sm">
        <Badge tone={status < 300 ? "success" : "danger"}>{status}</Badge>
        <span className="text-muted-foreground tabular-nums">{`${latencyMs} ms`}</span>
      </p>
      <pre className="wrap-anywhere whitespace-pre-wrap rounded-base border bg-muted p-3 font-mono text-sm">
        {body ? `${headers}\n\n${body}` : headers}
      </pre>
    </div>
  );
}

const SHOWN_HEADERS = [
  "X-Request-Id",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
];

async function request(url: string, init: RequestInit): Promise<Answer | string> {
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { ...init, credentials: "omit", cache: "no-store" });
    const text = await response.text();
    const latencyMs = Math.round(performance.now() - startedAt);
    const headers = SHOWN_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [`${name}: ${value}`];
    });
    return { status: response.status, headers: headers.join("\n"), body: indentJson(text), latencyMs };
  } catch {
    return "There was no answer. Check your connection and try again.";
  }
}

type KeyField = { key: string; setKey(key: string): void };

/** Exists only in this page's memory. */
const TryKey = createContext<KeyField>({ key: "", setKey: () => {} });

function useTryKey(): { key: string; mode: ApiMode } | null {
  const key = useContext(TryKey).key.trim();
  const mode = API_MODES.find((name) => key.startsWith(`svc_${name}_`));
  return mode ? { key, mode } : null;
}

export function TryKeyProvider({ children }: { children: React.ReactNode }) {
  const [key, setKey] = useState("");
  return <TryKey value={{ key, setKey }}>{children}</TryKey>;
}

/** Sets the variable from which the examples read the API key. */
export function KeySample() {
  const code = `export ${API_KEY_VARIABLE}=${useTryKey()?.key ?? "svc_test_…"}`;
  return <CodeBlock label="Set your key" code={code} />;
}

export function TryKeyField() {
  const { setKey } = useContext(TryKey);
  // The key might have been pasted before the script ran.
  const readPasted = useCallback(
    (field: HTMLInputElement | null) => {
      if (field) setKey(field.value);
    },
    [setKey],
  );
  return (
    <TextField
      label="API key"
      type="password"
      ref={readPasted}
      onChange={(event) => setKey(event.target.value)}
      placeholder="svc_test_…"
      hint="The key is stored only in this page’s memory, is sent only to this API, and is deleted when you leave. With a live key, requests change live data."
    />
  );
}
