"use client";

import { useCallback, useEffect, useState } from "react";
import { hasWallet, listSites, type Site, wipeWallet } from "./vault.ts";

/** What the page knows of this browser's wallet: never the phrase. */
export type WalletState =
  | { status: "loading" }
  /** The browser keeps nothing for this page, in a private window for example. */
  | { status: "unavailable" }
  | { status: "none" }
  | { status: "ready"; sites: Site[] };

/** This browser's wallet, read again when the page is seen again: another tab may have changed it. */
export function useWallet() {
  const [wallet, setWallet] = useState<WalletState>({ status: "loading" });

  const refresh = useCallback(async () => {
    try {
      setWallet((await hasWallet()) ? { status: "ready", sites: await listSites() } : { status: "none" });
    } catch {
      setWallet({ status: "unavailable" });
    }
  }, []);

  useEffect(() => {
    void refresh();
    const onVisible = () => document.visibilityState === "visible" && void refresh();
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [refresh]);

  const wipe = useCallback(async () => {
    await wipeWallet();
    await refresh();
  }, [refresh]);

  return { wallet, refresh, wipe };
}
