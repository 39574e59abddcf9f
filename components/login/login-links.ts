import { sameOriginPath } from "#lib/login/protocol/paths.ts";

/** A page's `callbackUrl` from its query: a path of this origin, or null. */
export function readCallbackUrl(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? sameOriginPath(value, "") || null : null;
}

/** A link to `/login` or `/register` that keeps where its user wants to go. */
export function loginHref(path: "/login" | "/register", callbackUrl: string | null): string {
  return callbackUrl === null ? path : `${path}?${new URLSearchParams({ callbackUrl })}`;
}
