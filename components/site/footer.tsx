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
