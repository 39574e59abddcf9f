/** The foot of every page: what nobody has to take on trust, in one line. */
export function SiteFooter() {
  return (
    <footer className="border-t standalone:hidden">
      <p className="mx-auto max-w-5xl px-4 py-6 text-muted-foreground text-sm sm:px-6">
        No passwords are kept here, only public keys. Your private key never leaves your wallet.
      </p>
    </footer>
  );
}
