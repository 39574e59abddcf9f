import useSWR, { type SWRConfiguration } from "swr";

const UNDER_WAY_MS = 1_000;
const AT_REST_MS = 5_000;

/** Every page of the console asks its own mode's endpoint. */
export const CONSOLE_API = "/api/console/";

/**
 * What the server showed, kept up to date: asked for again while the page is looked at, more often while something is
 * under way. After a failure SWR asks again by itself, less and less often.
 * @param url below `CONSOLE_API`; null asks nothing
 * @param initial what the page came with
 */
export function useLive<Shown>(
  url: string | null,
  initial: Shown,
  isUnderWay: (shown: Shown) => boolean,
  options: SWRConfiguration = {},
): Shown {
  const { data } = useSWR<Shown>(url, readJson, {
    fallbackData: initial,
    revalidateOnMount: initial === undefined,
    refreshInterval: (latest) => (isUnderWay(latest ?? initial) ? UNDER_WAY_MS : AT_REST_MS),
    dedupingInterval: UNDER_WAY_MS / 2,
    keepPreviousData: true,
    ...options,
  });
  return data ?? initial;
}

/** Reads one of our own endpoints. @throws {Error} when it does not answer 200 */
export async function readJson<Shown>(url: string): Promise<Shown> {
  const response = await fetch(url, { cache: "no-store" });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}
