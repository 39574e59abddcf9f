"use client";

import { currentMoment, elapsedMs } from "@svc/login/client";
import { QR_REFRESH_SECONDS } from "@svc/login/protocol";
import { QRCodeSVG } from "qrcode.react";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { useTexts } from "../texts/texts.tsx";
import { type ButtonLook, buttonClass } from "../ui/button-look.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { ExternalLink, Wallet } from "../ui/icons.tsx";
import { Countdown } from "../ui/time.tsx";

/** The lowest level of error correction, which gives the largest modules. A screen needs little error correction. */
const ERROR_CORRECTION = "L";
/** The quiet zone that ISO/IEC 18004 requires. */
const QUIET_ZONE_MODULES = 4;

/** The ring counts down the code's lifetime. The code's background is white in every colour scheme. */
export function QrFrame({ qr, label }: { qr: string; label: string }) {
  return (
    <div className="svc-qr">
      {/* The `key` restarts the ring for each new code. */}
      <CountdownRing key={qr} />
      <QRCodeSVG
        value={segmentsOf(qr)}
        level={ERROR_CORRECTION}
        marginSize={QUIET_ZONE_MODULES}
        bgColor="#ffffff"
        fgColor="#000000"
        title={label}
        className="svc-qr-code"
      />
    </div>
  );
}

/**
 * Puts digits into numeric segments, where each digit needs 3⅓ bits instead of 8. Readers join the segments (ISO/IEC
 * 18004).
 */
function segmentsOf(qr: string): string[] {
  return qr.split(/(\d{10})/).filter((segment) => segment !== "");
}

export function QrCountdown({ qr }: { qr: string }) {
  return <RenewalCountdown key={qr} />;
}

function RenewalCountdown() {
  const secondsHere = useSecondsSinceMount();
  const { panel } = useTexts();
  return <Countdown left={() => QR_REFRESH_SECONDS - secondsHere()} before={panel.newCodeIn} />;
}

/** A device's clock can be changed while a countdown runs. */
export function useSecondsSinceMount(): () => number {
  const [since] = useState(currentMoment);
  return () => elapsedMs(since) / 1000;
}

function CountdownRing() {
  return (
    <svg aria-hidden="true" className="svc-ring">
      <rect width="100%" height="100%" rx="12" className="svc-ring-track" strokeWidth="2" />
      <rect
        width="100%"
        height="100%"
        rx="12"
        className="svc-ring-left"
        strokeWidth="2.5"
        pathLength="1"
        strokeDasharray="1 1"
      />
    </svg>
  );
}

/**
 * While there is no code (`qr` is null), the links keep their place but are inactive. Options that work on any device
 * come first: `children` or the demo wallet. The wallet app, which few devices have, comes last.
 */
export function CodeActions({
  qr,
  demoWallet,
  hasWallet = false,
  walletHref,
  children,
}: {
  qr: string | null;
  demoWallet: boolean;
  /** Only a wallet that already has an account here can answer. */
  hasWallet?: boolean;
  walletHref?: string;
  /** Opens a different wallet, shown instead of the demo wallet's primary button. */
  children?: React.ReactNode;
}) {
  const { opened, isWithoutWallet } = useWalletApp();
  const { panel } = useTexts();
  const openInWallet = (look: ButtonLook) => (
    <OutgoingLink
      href={qr}
      // In its HTTPS form, the payload opens one of our pages, which must not replace the page with the code.
      newTab={qr?.startsWith("http")}
      className={buttonClass(look)}
      onClick={qr?.startsWith("svc:") ? opened : undefined}
    >
      <Wallet aria-hidden className="svc-icon" />
      {panel.openInWallet}
    </OutgoingLink>
  );
  return (
    <div className="svc-ways">
      {children && <div className="svc-ways">{children}</div>}
      {demoWallet && !children && (
        <DemoWallet qr={qr} hasWallet={hasWallet} className={buttonClass({ variant: "primary" })} />
      )}
      <div className="svc-wrap">
        {/* If there is no other option, phones show this link as the primary button. */}
        {openInWallet({ className: children || demoWallet ? undefined : "svc-primary-on-phones" })}
        <CopyButton text={qr} iconOnly>
          {panel.copyLink}
        </CopyButton>
      </div>
      {isWithoutWallet && (
        <p role="alert" className="svc-small-text">
          {panel.noWallet} {panel.noWalletWays(demoWallet && !hasWallet)}
        </p>
      )}
      {walletHref && (
        <a href={walletHref} className="svc-quiet-link">
          {panel.getWallet}
        </a>
      )}
      {demoWallet && children && <DemoWallet qr={qr} hasWallet={hasWallet} className="svc-quiet-link" />}
    </div>
  );
}

function DemoWallet({
  qr,
  hasWallet,
  className,
}: {
  qr: string | null;
  hasWallet: boolean;
  className: string;
}) {
  const { panel } = useTexts();
  return (
    <OutgoingLink href={qr && `/wallet#${encodeURIComponent(qr)}`} newTab className={className}>
      {hasWallet ? panel.demoWalletAgain : panel.demoWallet}
      <ExternalLink aria-hidden className="svc-icon" />
      <span className="svc-sr-only">
        {panel.demoWalletBefore} {panel.inNewTab}
      </span>
    </OutgoingLink>
  );
}

function OutgoingLink({
  href,
  newTab = false,
  className,
  ...rest
}: Omit<ComponentProps<"a">, "href"> & { href: string | null; newTab?: boolean }) {
  const idle = { "aria-disabled": true, role: "link" } as const;
  const target = newTab ? { target: "_blank", rel: "noreferrer" } : {};
  return <a {...(href === null ? idle : { href, ...target })} className={className} {...rest} />;
}

/** When an app opens, the browser leaves this page, or the page loses the focus, well within this time. */
const APP_OPENS_MS = 2_000;

/** Detects that a link did not open an app. Call `opened` when such a link is pressed. */
function useWalletApp() {
  const [isWithoutWallet, setWithoutWallet] = useState(false);
  const pressController = useRef<AbortController>(null);
  useEffect(() => () => pressController.current?.abort(), []);
  const onOpened = () => {
    pressController.current?.abort();
    const press = new AbortController();
    const { signal } = press;
    pressController.current = press;
    setWithoutWallet(false);
    const abortPress = () => press.abort();
    for (const sign of ["blur", "pagehide"]) window.addEventListener(sign, abortPress, { signal });
    document.addEventListener("visibilitychange", abortPress, { signal });
    const timer = setTimeout(() => {
      if (document.visibilityState === "visible" && document.hasFocus()) setWithoutWallet(true);
    }, APP_OPENS_MS);
    signal.addEventListener("abort", () => clearTimeout(timer));
  };
  return { opened: onOpened, isWithoutWallet };
}
