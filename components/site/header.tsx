import { Mark } from "./mark.tsx";

const SIGNED_OUT_LINKS = [
  ["/docs", "Docs"],
  ["/login", "Sign in"],
] as const;
const SIGNED_IN_LINKS = [
  ["/docs", "Docs"],
  ["/console", "Console"],
  ["/dashboard", "Dashboard"],
] as const;

/** The head of every page. Plain links: a page here needs no router in the browser. */
export function SiteHeader({ signedIn }: { signedIn: boolean }) {
  const links = signedIn ? SIGNED_IN_LINKS : SIGNED_OUT_LINKS;
  return (
    <header className="border-b bg-card standalone:hidden">
      <a
        href="#content"
        className="sr-only rounded-base bg-card font-semibold focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:px-4 focus:py-2"
      >
        Skip to content
      </a>
      <div className="mx-auto flex min-h-14 max-w-5xl flex-wrap items-center justify-between gap-x-4 px-4 in-[body:has([data-wide])]:max-w-7xl sm:px-6">
        <a
          href="/"
          className="-mx-2 flex min-h-11 items-center gap-2 whitespace-nowrap rounded-base px-2 font-semibold"
        >
          <Mark className="size-6 text-primary" />
          svc login
        </a>
        <nav aria-label="Main" className="-mx-2 flex print:hidden">
          {links.map(([href, name]) => (
            <a
              key={href}
              href={href}
              className="flex min-h-11 items-center whitespace-nowrap rounded-base px-2 text-sm underline-offset-4 hover:underline"
            >
              {name}
            </a>
          ))}
        </nav>
      </div>
    </header>
  );
}
