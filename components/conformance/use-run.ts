"use client";

import { currentMoment, type Moment } from "@svc/login/client";
import { useEffect, useState } from "react";
import useSWR from "swr";
import type { CaseReport, RunView, ShownCode, StartedRun } from "#lib/conformance-runs/messages.ts";
import { readField, readTextField } from "#packages/login/client/fetch-json.ts";
import { downloadFile } from "#packages/react/ui/copy-button.tsx";
import { readSavedRun, removeSavedRun, saveRun } from "./saved-run.ts";

/**
 * These options are at module level, because a new object would restart SWR's polling. Failures are returned as data,
 * because SWR stops polling after errors.
 */
const POLLING = { refreshInterval: 1_000, dedupingInterval: 200, revalidateIfStale: false };
const RESTING = { ...POLLING, refreshInterval: 0 };

export type DisplayedCode = ShownCode & { caseId: string; since: Moment };

/** `over` if the server no longer has the run, `unreachable`, or the server's error message. */
type RunProblem = "over" | "unreachable" | string;

export type Run = ReturnType<typeof useRun>;

export function useRun() {
  /** Null until the run starts. */
  const [secret, setSecret] = useState<string | null>(null);
  const [code, setCode] = useState<DisplayedCode | null>(null);
  const [refused, setRefused] = useState<RunProblem | null>(null);
  useEffect(() => setSecret(readSavedRun()), []);
  const { data, mutate } = useSWR(
    secret === null ? null : ["conformance-run", secret],
    ([, runSecret]) => askRun<RunView>("/run", runSecret),
    code ? POLLING : RESTING,
  );

  const ask = async <Body>(path: RunPath, body: unknown) => {
    const answer = await askRun<Body>(path, secret, body);
    setRefused(answer.trouble);
    return answer;
  };
  const start = async () => {
    const { body } = await ask<StartedRun>("/runs", {});
    if (!body) return;
    saveRun(body.secret);
    setSecret(body.secret);
  };
  const show = async (caseId: string) => {
    const { body } = await ask<ShownCode>("/run/codes", { case: caseId });
    if (!body) return;
    setCode({ ...body, caseId, since: currentMoment() });
    await mutate();
  };
  const say = async (report: CaseReport) => {
    const { trouble } = await ask<null>("/run/words", report);
    await mutate();
    return trouble === null;
  };
  const leave = () => {
    removeSavedRun();
    setSecret(null);
    setCode(null);
    setRefused(null);
  };
  const hide = () => setCode(null);
  const latest = secret === null ? undefined : data;
  const view = latest?.body ?? null;
  return { secret, code, view, trouble: refused ?? latest?.trouble ?? null, start, show, say, hide, leave };
}

const BASE = "/api/conformance";
const UNREACHABLE = "We cannot reach the site. Try again.";

const bearer = (secret: string | null): Record<string, string> =>
  secret === null ? {} : { Authorization: `Bearer ${secret}` };

type RunPath = "/runs" | "/run" | "/run/codes" | "/run/words";

/** `Body` is the type of the response's JSON, or null if there is none. Never throws. */
async function askRun<Body>(
  path: RunPath,
  secret: string | null,
  body?: unknown,
): Promise<{ body: Body | null; trouble: RunProblem | null }> {
  const headers = {
    ...bearer(secret),
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  };
  const method = path === "/run" ? "GET" : "POST";
  try {
    const init = { method, headers, body: JSON.stringify(body), cache: "no-store" } as const;
    const response = await fetch(BASE + path, init);
    if (response.status === 404) return { body: null, trouble: "over" };
    const answer = response.status === 204 ? null : await response.json();
    if (response.ok) return { body: answer as Body, trouble: null };
    return { body: null, trouble: readTextField(readField(answer, "error"), "message") ?? UNREACHABLE };
  } catch {
    return { body: null, trouble: "unreachable" };
  }
}

/** @returns false if the request failed */
export async function downloadReport(secret: string, format: "html" | "json"): Promise<boolean> {
  try {
    const response = await fetch(`${BASE}/run/report?format=${format}`, { headers: bearer(secret) });
    if (!response.ok) return false;
    downloadFile(`wallet-report.${format}`, await response.blob());
    return true;
  } catch {
    return false;
  }
}
