"use client";

import { ExternalLink, Wallet } from "lucide-react";
import { QRCodeSVG } from "qrcode.react";
import { useState } from "react";
import { buttonClass } from "#components/ui/button-link.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Countdown } from "#components/ui/countdown.tsx";
import { QR_REFRESH_SECONDS } from "#lib/login/protocol/numbers.ts";

/** The largest module size for the payload: a screen needs little error correction. */
const ERROR_CORRECTION = "L";
/** The quiet zone that ISO/IEC 18004 asks for. */
const QUIET_ZONE_MODULES = 4;

/** The code on white, in any scheme, inside the ring that runs down over its life. */
export function QrFrame({ qr, label }: { qr: string; label: string }) {
  return (
    <div className="relative aspect-square w-full p-2">
      {/* A new code is a new ring. */}
      <CountdownRing key={qr} />
      <QRCodeSVG
        value={qr}
        level={ERROR_CORRECTION}
        marginSize={QUIET_ZONE_MODULES}
        bgColor="#ffffff"
        fgColor="#000000"
        title={label}
        className="size-full rounded-base bg-white"
      />
    </div>
  );
}

/** When the code that is shown now gives way to the next one. */
export function QrRenewal({ qr }: { qr: string }) {
  return <RenewalCountdown key={qr} />;
}

function RenewalCountdown() {
  const [at] = useState(() => Date.now() + QR_REFRESH_SECONDS * 1000);
  return <Countdown at={at} before="New code in" />;
}

function CountdownRing() {
  return (
    <svg
      aria-hidden="true"
      className="absolute inset-0.5 size-[calc(100%-0.25rem)] overflow-visible fill-none"
    >
      <rect width="100%" height="100%" rx="12" className="stroke-border" strokeWidth="2" />
      <rect
        width="100%"
        height="100%"
        rx="12"
        className="animate-countdown stroke-primary motion-reduce:hidden print:hidden"
        strokeWidth="2.5"
        pathLength="1"
        strokeDasharray="1 1"
      />
    </svg>
  );
}

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
