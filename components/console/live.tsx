"use client";

import { signInAgainPath } from "@svc/login/client";
import { useParams } from "next/navigation";
import useSWR, { mutate } from "swr";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { fetchJson } from "#packages/login/client/fetch-json.ts";
import { useTexts } from "#packages/react/texts/texts.tsx";
import { Notice, TextLink } from "#packages/react/ui/elements.tsx";

const UNDER_WAY_MS = 1_000;
const AT_REST_MS = 5_000;

/** The prefix of the endpoints. Every page of the console uses the endpoints of its own mode. */
export const CONSOLE_API = "/api/console/";

/** The SWR key under which the page stores whether the sign-in has ended. The notice above the page reads it. */
const SIGN_IN_ENDED = "the sign-in has ended";

/** Shows above a page of the console that it is no longer updated. */
export function SignInEnded() {
  const { status, signInAgain } = useTexts();
  const { data: hasEnded } = useSWR<boolean>(SIGN_IN_ENDED, null);
  return (
    <div role="status" className="empty:absolute">
      {hasEnded && (
        <Notice tone="warning" title={status.ended.title}>
          {status.ended.detail} <TextLink href={signInAgainPath()}>{signInAgain}</TextLink>
        </Notice>
      )}
    </div>
  );
}

/** The mode of the page, from its URL. */
export const useApiMode = () => useParams<{ mode: ApiMode }>().mode;

/**
 * Keeps the data that the server rendered up to date. It polls while the page is visible, more often while something is
 * pending. After a failure SWR retries automatically with growing pauses.
 * @param path below the mode's endpoint; null sends no requests, and shows what the page was rendered with
 * @param initial the data that the page was rendered with
 */
export function useLiveData<Shown>(
  path: string | null,
  initial: Shown,
  isInProgress: (data: Shown) => boolean,
): Shown {
  const url = CONSOLE_API + useApiMode();
  const { data } = useSWR<Shown>(path === null ? null : url + path, readLive, {
    fallbackData: initial,
    revalidateOnMount: initial === undefined,
    refreshInterval: (latest) => (isInProgress(latest ?? initial) ? UNDER_WAY_MS : AT_REST_MS),
    dedupingInterval: UNDER_WAY_MS / 2,
    keepPreviousData: true,
  });
  return path === null || data === undefined ? initial : data;
}

async function readLive<Shown>(url: string): Promise<Shown> {
  const fetched = await fetchJson(url);
  await mutate(SIGN_IN_ENDED, fetched.kind === "ended", { revalidate: false });
  if (fetched.kind !== "ok") throw new Error(`${url}: ${fetched.kind}`);
  return fetched.body as Shown;
}
