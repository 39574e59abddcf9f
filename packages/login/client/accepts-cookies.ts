/**
 * Returns whether this browser keeps the site's cookies, which a sign-in needs. Sets one and reads it back, because
 * Chromium's `navigator.cookieEnabled` is true even if its user has blocked them.
 */
export function acceptsCookies(): boolean {
  // Each check uses a different name, because another tab removes its own cookie.
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
    // Reading cookies throws in a frame without an origin.
    return false;
  }
}
