"use client";

import { QRCodeSVG } from "qrcode.react";
import { useState } from "react";
import { QR_REFRESH_SECONDS } from "#lib/login/protocol/numbers.ts";
import { Countdown } from "./countdown.tsx";

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
