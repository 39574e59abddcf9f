import { MARK_PATHS } from "#lib/platform/http/mark.ts";
import type { Theme } from "#lib/platform/http/preference-cookies.ts";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

const COLUMN = "mx-auto max-w-5xl px-4 in-[body:has([data-wide],.svc-wide)]:max-w-7xl sm:px-6";
const LINK =
  "flex min-h-11 items-center gap-2 whitespace-nowrap rounded-base px-2 text-sm underline-offset-4 hover:underline";

/**
 * Uses plain links: these pages need no client-side router.
 * @param props.user null if signed out, undefined if unknown
 */
export function SiteHeader({ user }: { user?: React.ReactNode }) {
  return (
    <header className="border-b bg-card standalone:hidden">
      <a
        href="#content"
        className="sr-only rounded-base bg-card font-semibold focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:px-4 focus:py-2"
      >
        Skip to content
      </a>
      <div className={joinClassNames(COLUMN, "flex min-h-14 flex-wrap items-center justify-between gap-x-4")}>
        <a
          href="/"
          className="-mx-2 flex min-h-11 items-center gap-2 whitespace-nowrap rounded-base px-2 font-semibold tracking-tight"
        >
          <Mark className="size-6 shrink-0 text-primary" />
          <span className={user ? "max-sm:sr-only" : undefined}>svc login</span>
        </a>
        <nav aria-label="Main" className="-mx-2 flex min-w-0 items-center sm:gap-1 print:hidden">
          <a href="/docs" className={LINK}>
            Docs
          </a>
          {user ? (
            <>
              <a href="/console" className={LINK}>
                Console
              </a>
              {user}
            </>
          ) : (
            user === null && (
              <a href="/login" className={LINK}>
                Sign in
              </a>
            )
          )}
        </nav>
      </div>
    </header>
  );
}

export function SiteFooter({ theme, sourceUrl }: { theme: Theme | undefined; sourceUrl: string }) {
  const links = [
    ["/docs", "Guides"],
    ["/docs/api", "API reference"],
    [sourceUrl, "Source"],
    ["/docs/guides/licence", "MIT licence"],
  ] as const;
  return (
    <footer className="border-t standalone:hidden">
      <div
        className={joinClassNames(
          COLUMN,
          "flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-6 text-muted-foreground text-sm",
        )}
      >
        <p className="max-w-lg">
          We store public keys, never passwords. Your private key never leaves your wallet.
        </p>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-4 print:hidden">
          <nav aria-label="Footer" className="flex flex-wrap gap-x-4 gap-y-1">
            {links.map(([href, name]) => (
              <a key={href} href={href} className="py-1 underline-offset-4 hover:underline">
                {name}
              </a>
            ))}
          </nav>
          <ThemeSwitch initial={theme} />
        </div>
      </div>
    </footer>
  );
}

function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" fill="currentColor">
      <path fillRule="evenodd" d={MARK_PATHS[0]} />
      <path d={MARK_PATHS[1]} />
    </svg>
  );
}
