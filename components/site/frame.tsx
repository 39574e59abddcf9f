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

/** The foot of every page: what nobody has to take on trust, in one line, and where to read more. */
export function SiteFooter() {
  return (
    <footer className="border-t standalone:hidden">
      <div className="mx-auto flex max-w-5xl flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-6 text-muted-foreground text-sm in-[body:has([data-wide])]:max-w-7xl sm:px-6">
        <p>No passwords are kept here, only public keys. Your private key never leaves your wallet.</p>
        <nav aria-label="Documentation" className="flex gap-4 print:hidden">
          <a href="/docs" className="py-1 underline-offset-4 hover:underline">
            Guides
          </a>
          <a href="/docs/api" className="py-1 underline-offset-4 hover:underline">
            API reference
          </a>
        </nav>
      </div>
    </footer>
  );
}

/** Our mark: the corner of a QR code whose eye is a keyhole. Takes the colour of the text around it. */
function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" fill="currentColor">
      <path
        fillRule="evenodd"
        d="M9 2h14a7 7 0 0 1 7 7v14a7 7 0 0 1-7 7H9a7 7 0 0 1-7-7V9a7 7 0 0 1 7-7Zm.5 4A3.5 3.5 0 0 0 6 9.5v13A3.5 3.5 0 0 0 9.5 26h13a3.5 3.5 0 0 0 3.5-3.5v-13A3.5 3.5 0 0 0 22.5 6h-13Z"
      />
      <path d="M16 9.5a4 4 0 0 0-2.05 7.430L12.8 22.5h6.400l-1.15-5.57A4 4 0 0 0 16 9.5Z" />
    </svg>
  );
}
