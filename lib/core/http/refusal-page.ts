import type { ErrorCode } from "#lib/contracts/error.ts";

const TITLES: Partial<Record<ErrorCode, string>> = {
  uri_too_long: "This address is too long",
  headers_too_large: "Your browser sent too much",
  method_not_allowed: "This page is for reading",
};

// The colours of app/globals.css: the framework, which knows them, is not asked.
const STYLE = `
:root { color-scheme: light dark; --background: #fafafa; --foreground: #18191b; --muted: #5b5e66; --primary: #2450c8; }
@media (prefers-color-scheme: dark) {
  :root { --background: #0e0f11; --foreground: #ededef; --muted: #a3a6af; --primary: #8fabff; }
}
body { margin: 0; padding: 48px 16px; background: var(--background); color: var(--foreground);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 576px; margin: 0 auto; }
h1 { margin: 0; font-size: clamp(1.5rem, 1.25rem + 1vw, 1.875rem); line-height: 1.2; font-weight: 600; }
p { margin: 8px 0 24px; color: var(--muted); }
a { color: var(--primary); text-underline-offset: 4px; }`;

/** A page that says why a request was not answered, for people; `message` is one of ours and holds no markup. */
export function refusalPage(code: ErrorCode, message: string): string {
  const title = TITLES[code] ?? "This request cannot be answered";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · svc login</title>
<style>${STYLE}
</style>
<main>
<h1>${title}</h1>
<p>${message}</p>
<a href="/">Go to the start page</a>
</main>
</html>
`;
}
