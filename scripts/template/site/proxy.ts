import { protectedPage } from "@svc/login/headers";
import { type NextRequest, NextResponse } from "next/server";

/** Security headers for every page, with a nonce of its own in each content security policy. */
export function proxy(request: NextRequest) {
  const secure = process.env.APP_URL?.startsWith("https:") ?? false;
  const { forwarded, headers } = protectedPage(request.headers, {
    secure,
    development: process.env.NODE_ENV === "development",
  });
  const response = NextResponse.next({ request: { headers: forwarded } });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

export const config = { matcher: ["/((?!_next/|api/|webhook/|favicon\\.ico$).*)"] };
