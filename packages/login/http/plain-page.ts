const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

export type Brand = {
  name: string;
  /** An SVG element before the name. */
  mark?: string;
  /** The URL of a variable WOFF2 font. Null means the system font, which is the default. */
  font?: string | null;
};

/** A link with an empty URL opens the current page again. */
export const RETRY_LINK = { text: "Try again", href: "" };

/** A test compares the page's colours and sizes with `app/looks.css`. */
export const renderPlainPage = (heading: string, text: string, link: typeof RETRY_LINK, brand: Brand) =>
  renderPlainDocument(heading, `<p>${text}</p>\n<a href="${link.href}">${link.text}</a>`, brand);

/** @param body HTML */
export const renderPlainDocument = (
  heading: string,
  body: string,
  { name, mark = "", font }: Brand,
) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading} · ${name}</title>
${font ? `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>` : ""}
<style>
${font ? `@font-face { font-family: brand; src: url(${font}) format("woff2"); font-weight: 300 900; font-display: optional; }\n` : ""}:root {
  color-scheme: light dark;
  --background: #fafafa;
  --foreground: #18191b;
  --card: #ffffff;
  --muted-foreground: #5b5e66;
  --border: #e1e2e6;
  --primary: #2450c8;
  --primary-hover: #1c41a6;
  --primary-foreground: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #0e0f11;
    --foreground: #ededef;
    --card: #16181b;
    --muted-foreground: #a3a6af;
    --border: #2b2e34;
    --primary: #8fb0ff;
    --primary-hover: #b0c8ff;
    --primary-foreground: #0d1530;
  }
}
body {
  display: flex;
  flex-direction: column;
  min-height: 100dvh;
  margin: 0;
  background: var(--background);
  color: var(--foreground);
  font: 1rem/1.5 brand, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
}
header, footer { border: 0 solid var(--border); padding: 1rem; }
header { border-bottom-width: 1px; background: var(--card); }
footer { border-top-width: 1px; color: var(--muted-foreground); font-size: 0.875rem; }
header > a, footer > div { box-sizing: border-box; display: block; width: 100%; max-width: 61rem; min-height: 0; margin: 0 auto; padding: 0; }
header > a { display: flex; gap: 0.5rem; background: none; color: inherit; letter-spacing: -0.025em; }
header svg { color: var(--primary); }
header > a:hover { background: none; text-decoration: underline; }
main { box-sizing: border-box; flex: 1; width: 100%; max-width: 36rem; margin: 0 auto; padding: 4rem 1rem; }
h1 { margin: 0; font-size: clamp(1.5rem, 1.25rem + 1vw, 1.875rem); font-weight: 600; line-height: 1.2; text-wrap: balance; }
p { margin: 0.5rem 0 1.5rem; color: var(--muted-foreground); text-wrap: pretty; }
dl { margin: 0 0 1.5rem; }
dt { color: var(--muted-foreground); }
dd { margin: 0 0 0.75rem; overflow-wrap: anywhere; }
form, nav { display: flex; flex-wrap: wrap; gap: 0.75rem; }
a, button {
  display: inline-flex;
  align-items: center;
  min-height: 2.75rem;
  padding: 0 1rem;
  border: 0;
  border-radius: 0.625rem;
  background: var(--primary);
  color: var(--primary-foreground);
  font: inherit;
  font-weight: 600;
  text-decoration: none;
  cursor: pointer;
}
a:hover, button:hover { background: var(--primary-hover); }
.plain, .plain:hover { background: none; color: var(--foreground); box-shadow: inset 0 0 0 1px var(--muted-foreground); }
a:focus-visible, button:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; }
</style>
</head>
<body>
<header><a href="/">${mark}${name}</a></header>
<main>
<h1>${heading}</h1>
${body}
</main>
<footer><div>We store public keys, never passwords. Your private key never leaves your wallet.</div></footer>
</body>
</html>
`;
