"use client";

import { useCallback, useEffect, useState } from "react";
import type { LockKind } from "./lock.ts";
import { walletLock, wipeVault } from "./vault.ts";
import { listSites, listTrusts, type Site, type Trust, wipePlaces } from "./wallet-storage.ts";

/** What the page knows of this browser's wallet: never its seed. */
export type WalletState =
  | { status: "loading" }
  /** The browser keeps nothing for this page, in a private window for example. */
  | { status: "unavailable" }
  /** The page came over plain http from another machine: such a page gets neither camera nor cryptography. */
  | { status: "insecure" }
  | { status: "none" }
  /** Made by an earlier version that sealed nothing. */
  | { status: "unsealed" }
  | { status: "ready"; lock: LockKind; sites: Site[]; trusts: Trust[] };

/** This browser's wallet, read again when the page is seen again: another tab may have changed it. */
export function useWallet() {
  const [wallet, setWallet] = useState<WalletState>({ status: "loading" });

  const refresh = useCallback(async () => setWallet(await readWallet()), []);

  useEffect(() => {
    void refresh();
    const onVisible = () => document.visibilityState === "visible" && void refresh();
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [refresh]);

  const wipe = useCallback(async () => {
    await Promise.all([wipeVault(), wipePlaces()]);
    await refresh();
  }, [refresh]);

  return { wallet, refresh, wipe };
}

async function readWallet(): Promise<WalletState> {
  if (!window.isSecureContext) return { status: "insecure" };
  try {
    const lock = await walletLock();
    if (lock === "none" || lock === "unsealed") return { status: lock };
    const [sites, trusts] = await Promise.all([listSites(), listTrusts()]);
    return { status: "ready", lock, sites, trusts };
  } catch {
    return { status: "unavailable" };
  }
}
