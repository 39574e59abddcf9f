import { type NextRequest, NextResponse } from "next/server";
import { protectedPage } from "./protected-page.ts";

/** Security headers for every page of a Next.js site, for its `proxy.ts`. */
export function protectPages(request: NextRequest): NextResponse {
  const secure = process.env.APP_URL?.startsWith("https:") ?? false;
  const development = process.env.NODE_ENV === "development";
  const { forwarded, headers } = protectedPage(request.headers, { secure, development });
  const response = NextResponse.next({ request: { headers: forwarded } });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
