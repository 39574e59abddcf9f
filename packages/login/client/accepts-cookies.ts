/**
 * Sets a cookie and reads it back, because in Chromium `navigator.cookieEnabled` is true even if the user has blocked
 * cookies.
 */
export function acceptsCookies(): boolean {
  // The name is random, because the same check in another tab would otherwise remove this cookie.
  const name = `svc-probe-${crypto.getRandomValues(new Uint32Array(1))}`;
  const write = (valueAndAttributes: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the purpose is to find out whether this works
    document.cookie = `${name}=${valueAndAttributes}; Path=/; SameSite=Lax`;
  };
  try {
    write("1");
    const isKept = document.cookie.includes(name);
    write("; Max-Age=0");
    return isKept;
  } catch {
    // In a frame without an origin, reading cookies throws.
    return false;
  }
}
