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

/** The mode follows this prefix. */
export const CONSOLE_API = "/api/console/";

/** The SWR key of a value that is true once the user is no longer signed in. */
const SIGN_IN_ENDED = "the sign-in has ended";

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

export const useApiMode = () => useParams<{ mode: ApiMode }>().mode;

/**
 * Polls only while the page is visible, and more often while something is pending. After a failure, SWR retries with
 * increasing delays.
 * @param path the path below the mode's endpoint; null disables polling
 * @param initial the data from the server's rendering
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
