"use client";

import { elapsedMs, thisMoment } from "@svc/login/client";
import { useEffect, useEffectEvent, useState } from "react";
import type { LockKind } from "./lock.ts";
import { type Addresses, readVault, wipeVault } from "./vault.ts";
import {
  listSites,
  listTrustedHosts,
  type Site,
  type TrustedHost,
  wipeSiteRecords,
} from "./wallet-storage.ts";

/** The wallet locks if the page has been idle for this long. */
const IDLE_MS = 120_000;
/** The wallet also locks if the page has been out of sight for this long. */
const HIDDEN_MS = 30_000;

/** A wallet that is ready to answer. */
export type ReadyWallet = {
  status: "ready";
  lock: LockKind;
  addresses?: Addresses;
  sites: Site[];
  trusts: TrustedHost[];
};

/** What the page stores about this browser's wallet, never its seed. */
export type WalletState =
  | { status: "loading" }
  /** The browser stores no data for this page, for example in a private window. */
  | { status: "unavailable" }
  /**
   * The page was loaded over plain HTTP from a different machine, so the browser gives it access to neither the camera
   * nor cryptography.
   */
  | { status: "insecure" }
  | { status: "none" }
  /** Created by an earlier version, which did not seal wallets. */
  | { status: "unsealed" }
  | ReadyWallet;

/** This browser's wallet, read again whenever the page becomes visible, because another tab may have changed it. */
export function useWallet() {
  const [wallet, setWallet] = useState<WalletState>({ status: "loading" });
  const refresh = async () => setWallet(await readWallet());
  const read = useEffectEvent(refresh);
  useEffect(() => {
    void read();
    const onVisible = () => document.visibilityState === "visible" && void read();
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, []);
  const wipe = async () => {
    await Promise.all([wipeVault(), wipeSiteRecords()]);
    await refresh();
  };
  return { wallet, refresh, wipe };
}

async function readWallet(): Promise<WalletState> {
  if (!window.isSecureContext) return { status: "insecure" };
  try {
    const vault = await readVault();
    if (typeof vault === "string") return { status: vault };
    const [sites, trusts] = await Promise.all([listSites(), listTrustedHosts()]);
    return { status: "ready", ...vault, sites, trusts };
  } catch {
    return { status: "unavailable" };
  }
}

/** Calls `lock` once the page has been idle for too long, if the wallet is `open`. */
export function useAutoLock(open: boolean, lock: () => void): void {
  const lockWhenHidden = useEffectEvent(lock);
  useEffect(() => {
    if (!open) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = thisMoment();
    let milliseconds = IDLE_MS;
    const restart = () => {
      // A sleeping phone runs its timers late, so check the time as well.
      if (elapsedMs(last) > milliseconds) return lockWhenHidden();
      last = thisMoment();
      milliseconds = document.visibilityState === "hidden" ? HIDDEN_MS : IDLE_MS;
      clearTimeout(timer);
      timer = setTimeout(() => lockWhenHidden(), milliseconds);
    };
    restart();
    const signs = ["pointerdown", "keydown", "visibilitychange"] as const;
    for (const sign of signs) document.addEventListener(sign, restart);
    return () => {
      clearTimeout(timer);
      for (const sign of signs) document.removeEventListener(sign, restart);
    };
  }, [open]);
}
