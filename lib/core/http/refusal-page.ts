import { ApiError } from "../api-error.ts";
import { renderError } from "./endpoint.ts";

/**
 * A refusal where people look: a page of its own for a browser, since the framework would have to render one of ours,
 * and the error body for programs.
 */
export function renderForPeople(error: unknown, requestId: string, accept: string): Response {
  const answer = renderError(error, requestId);
  const isRefusal = error instanceof ApiError && error.code === "rate_limited";
  if (!isRefusal || !/\btext\/html\b/.test(accept)) return answer;
  answer.headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(page(answer.headers.get("Retry-After") ?? ""), {
    status: answer.status,
    headers: answer.headers,
  });
}

// The tokens of app/globals.css; the link's empty address is this page's own.
const page = (seconds: string) => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Too many requests · svc login</title>
<style>
:root { color-scheme: light dark; --background: #fafafa; --foreground: #18191b; --muted: #5b5e66; --primary: #2450c8; --on-primary: #ffffff }
@media (prefers-color-scheme: dark) {
  :root { --background: #0e0f11; --foreground: #ededef; --muted: #a3a6af; --primary: #8fb0ff; --on-primary: #0d1530 }
}
body { margin: 0; background: var(--background); color: var(--foreground); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { max-width: 36rem; margin: 0 auto; padding: 4rem 1rem }
h1 { margin: 0; font-size: clamp(1.5rem, 1.25rem + 1vw, 1.875rem); line-height: 1.2; font-weight: 600 }
p { margin: .5rem 0 1.5rem; color: var(--muted) }
a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 1rem; border-radius: .625rem; background: var(--primary); color: var(--on-primary); font-weight: 600; text-decoration: none }
a:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px }
</style>
</head>
<body>
<main>
<h1>Too many requests from your network</h1>
<p>Your account is not affected. Try again in ${seconds} ${seconds === "1" ? "second" : "seconds"}.</p>
<a href="">Try again</a>
</main>
</body>
</html>
`;
