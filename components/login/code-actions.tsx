import { ExternalLink, Wallet } from "lucide-react";
import { buttonClass } from "#components/ui/button-class.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";

/**
 * The ways to a wallet that need no camera. Kept in place, but idle, while there is no code (`qr` null).
 * `children` come before them, as the primary one.
 */
export function CodeActions({
  qr,
  demoWallet,
  children,
}: {
  qr: string | null;
  demoWallet: boolean;
  children?: React.ReactNode;
}) {
  // In its https form the payload is a page of ours: it must not take the place of the page that waits.
  const newTab = qr?.startsWith("http") ? { target: "_blank", rel: "noreferrer" } : {};
  return (
    <div className="grid gap-3 print:hidden">
      {children}
      <div className="flex flex-wrap gap-3 *:grow">
        <a
          {...(qr === null ? { "aria-disabled": true, role: "link" } : { href: qr, ...newTab })}
          className={buttonClass({
            variant: children ? "secondary" : "primary",
            className: "aria-disabled:opacity-55",
          })}
        >
          <Wallet aria-hidden className="size-4 shrink-0" />
          Open in wallet
        </a>
        <CopyButton text={qr}>Copy link</CopyButton>
      </div>
      {demoWallet && (
        <a
          {...(qr === null
            ? { "aria-disabled": true, role: "link" }
            : { href: `/wallet#${encodeURIComponent(qr)}` })}
          target="_blank"
          rel="noreferrer"
          className="mx-auto flex min-h-9 items-center gap-2 rounded-base px-2 text-muted-foreground text-sm underline underline-offset-4 hover:text-foreground aria-disabled:opacity-55"
        >
          Try with the demo wallet
          <ExternalLink aria-hidden className="size-4" />
          <span className="sr-only">(opens a new tab)</span>
        </a>
      )}
    </div>
  );
}
