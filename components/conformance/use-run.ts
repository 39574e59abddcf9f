"use client";

import { useCallback, useEffect, useState } from "react";
import useSWR from "swr";
import { saveFile } from "#components/ui/copy-button.tsx";
import type { RunView, SayWord, ShownCode, StartedRun } from "#lib/conformance-runs/messages.ts";
import { readField, readText } from "#lib/login/client/fetch-json.ts";

/** The run of this tab: a reload goes on with it. */
const STORAGE_KEY = "svc-conformance-run";
/** At module level, as SWR wants it. Failures are data: it stops polling on errors. */
const POLLING = { refreshInterval: 1_000, dedupingInterval: 200, revalidateIfStale: false };
const RESTING = { ...POLLING, refreshInterval: 0 };

/** A code on the screen; `until` in milliseconds of `Date.now()`. */
export type CodeOnScreen = ShownCode & { caseId: string; until: number };

export type Run = {
  /** Null before one was started. */
  secret: string | null;
  view: RunView | null;
  code: CodeOnScreen | null;
  /** What the last request came to, where it did not work. */
  trouble: "over" | "unreachable" | string | null;
  start: () => Promise<void>;
  show: (caseId: string) => Promise<void>;
  say: (said: SayWord) => Promise<boolean>;
  /** Takes the code off the screen. */
  hide: () => void;
  leave: () => void;
};

/** A run of the conformance kit, as this page lives it. */
export function useRun(): Run {
  const [secret, setSecret] = useState<string | null>(null);
  const [code, setCode] = useState<CodeOnScreen | null>(null);
  const [refused, setRefused] = useState<Run["trouble"]>(null);
  useEffect(() => setSecret(sessionStorage.getItem(STORAGE_KEY)), []);
  const { data, mutate } = useSWR(
    secret === null ? null : ["conformance-run", secret],
    ([, own]) => askRun<RunView>("/run", own),
    code ? POLLING : RESTING,
  );

  const heed = useCallback((answer: RunAnswer<unknown>) => setRefused(troubleOf(answer)), []);
  const start = async () => {
    const answer = await askRun<StartedRun>("/runs", null, {});
    heed(answer);
    if (answer.kind !== "ok") return;
    sessionStorage.setItem(STORAGE_KEY, answer.body.secret);
    setSecret(answer.body.secret);
  };
  const show = async (caseId: string) => {
    const answer = await askRun<ShownCode>("/run/codes", secret, { case: caseId });
    heed(answer);
    if (answer.kind !== "ok") return;
    setCode({ ...answer.body, caseId, until: Date.now() + answer.body.lives_seconds * 1000 });
    await mutate();
  };
  const say = async (said: SayWord) => {
    const answer = await askRun<null>("/run/words", secret, said);
    heed(answer);
    await mutate();
    return answer.kind === "ok";
  };
  const leave = () => {
    sessionStorage.removeItem(STORAGE_KEY);
    setSecret(null);
    setCode(null);
    setRefused(null);
  };
  return {
    ...{ secret, code, start, show, say, leave, hide: () => setCode(null) },
    view: secret !== null && data?.kind === "ok" ? data.body : null,
    trouble: refused ?? (data && secret !== null ? troubleOf(data) : null),
  };
}

function troubleOf(answer: RunAnswer<unknown>): Run["trouble"] {
  if (answer.kind === "ok") return null;
  return answer.kind === "refused" ? answer.message : answer.kind;
}

const BASE = "/api/conformance";
const UNREACHABLE = "We cannot reach the site. Try again.";

/** What the server said of a run. `over`: it no longer knows the run. */
type RunAnswer<Body> =
  | { kind: "ok"; body: Body }
  | { kind: "over" }
  | { kind: "unreachable" }
  | { kind: "refused"; message: string };

/** Asks our own server; `Body` is what its endpoint answers. Never throws. */
async function askRun<Body>(
  path: "/runs" | "/run" | "/run/codes" | "/run/words",
  secret: string | null,
  body?: unknown,
): Promise<RunAnswer<Body>> {
  const headers: Record<string, string> = secret === null ? {} : { Authorization: `Bearer ${secret}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const method = path === "/run" ? "GET" : "POST";
  try {
    const response = await fetch(BASE + path, {
      method,
      headers,
      body: JSON.stringify(body),
      cache: "no-store",
    });
    if (response.status === 404) return { kind: "over" };
    const answer = response.status === 204 ? null : await response.json();
    if (response.ok) return { kind: "ok", body: answer as Body };
    const message = readText(readField(answer, "error"), "message") ?? UNREACHABLE;
    return { kind: "refused", message };
  } catch {
    return { kind: "unreachable" };
  }
}

/** Has the browser save the report of a run. @returns false where it could not be read */
export async function downloadReport(secret: string, format: "html" | "json"): Promise<boolean> {
  try {
    const response = await fetch(`${BASE}/run/report?format=${format}`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    if (!response.ok) return false;
    saveFile(`wallet-report.${format}`, await response.blob());
    return true;
  } catch {
    return false;
  }
}
