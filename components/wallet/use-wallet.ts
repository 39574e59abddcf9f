"use client";

import { currentMoment, elapsedMs } from "@svc/login/client";
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

const IDLE_MS = 120_000;
const HIDDEN_MS = 30_000;

export type ReadyWallet = {
  status: "ready";
  lock: LockKind;
  addresses?: Addresses;
  sites: Site[];
  trusts: TrustedHost[];
};

/** Never includes the seed. */
export type WalletState =
  | { status: "loading" }
  /** The browser does not let this page store data, for example in a private window. */
  | { status: "unavailable" }
  /**
   * The page was loaded over plain HTTP from another machine, so the browser denies access to the camera and to
   * cryptography.
   */
  | { status: "insecure" }
  | { status: "none" }
  /** Created by an earlier version, which did not seal wallets. */
  | { status: "unsealed" }
  | ReadyWallet;

/** Reads it again whenever the page becomes visible: another tab might have changed the wallet. */
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

export function useAutoLock(open: boolean, lock: () => void): void {
  const lockWhenHidden = useEffectEvent(lock);
  useEffect(() => {
    if (!open) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = currentMoment();
    let milliseconds = IDLE_MS;
    const restart = () => {
      // Timers run late on a phone that was asleep, so the time is checked as well.
      if (elapsedMs(last) > milliseconds) return lockWhenHidden();
      last = currentMoment();
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
