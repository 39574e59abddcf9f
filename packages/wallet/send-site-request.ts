/** Tests replace these functions. */
export type RequestEnvironment = {
  fetch?: typeof fetch;
  /**
   * Unix seconds. The default is this device's clock; when an answer is sent, the site's clock if the wallet knows it.
   */
  now?: () => number;
  wait?: (seconds: number) => Promise<void>;
  /** False if the device reports that it has no network. */
  online?: () => boolean;
  onRetry?: (retry: { reason: "server_error" | "unreachable"; waitSeconds: number }) => void;
  attemptTimeoutSeconds?: number;
};

type SiteRequest = { fetch?: typeof fetch; deadlineSeconds: number } & Pick<
  RequestInit,
  "method" | "body" | "headers"
>;

/**
 * Without cookies, a referrer or the cache. Does not follow redirects, because they could lead to an unchecked host.
 */
export async function sendSiteRequest(
  url: string,
  { fetch = globalThis.fetch, deadlineSeconds, headers, ...init }: SiteRequest,
): Promise<{ response: Response; status: number }> {
  const response = await fetch(url, {
    ...init,
    headers: { accept: "application/json", ...headers },
    redirect: "manual",
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(deadlineSeconds * 1000),
  });
  // A browser hides the status of a redirect that it did not follow.
  return { response, status: response.type === "opaqueredirect" ? 302 : response.status };
}

/** A third party cannot send endless data. */
export async function readFirstBytes(response: Response, limit: number): Promise<Uint8Array> {
  const start = new Uint8Array(limit);
  let size = 0;
  const reader = response.body?.getReader();
  while (reader && size < limit) {
    const { done, value } = await reader.read();
    if (done) break;
    start.set(value.subarray(0, limit - size), size);
    size += Math.min(value.length, limit - size);
  }
  await reader?.cancel();
  return start.subarray(0, size);
}

/**
 * For untrusted bytes. Null if they are not valid JSON.
 * @param fatal true: bytes that are not UTF-8 make the result null; false: they are read as U+FFFD
 */
export function parseJson(bytes: Uint8Array, { fatal = true } = {}): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal }).decode(bytes));
  } catch {
    return null;
  }
}

/** For untrusted JSON: undefined if the property is missing or inherited. */
export function readOwnField(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

export function isDeviceOnline(): boolean {
  return globalThis.navigator?.onLine !== false;
}
