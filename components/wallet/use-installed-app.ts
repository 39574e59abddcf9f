"use client";

import { useEffect, useState, useSyncExternalStore } from "react";

const SCRIPT = "/wallet/sw.js";
const SCOPE = "/wallet";

/**
 * The bundler replaces this expression; it is not configuration. In development bundles, file names do not depend on
 * the content, so a cached file could be outdated.
 */
const BUILT = process.env.NODE_ENV === "production";

/**
 * The page then opens offline, and changes only when the user agrees.
 * @returns a function that switches to a newer version of the wallet, or null if there is none
 */
export function useInstalledFiles(): (() => void) | null {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);

  useEffect(() => {
    if (!BUILT || !("serviceWorker" in navigator)) return;
    let isOver = false;
    // An app can stay open for days. Checks for a newer version whenever the app becomes visible.
    const onVisible = async () => {
      if (document.visibilityState !== "visible") return;
      const registration = await navigator.serviceWorker.getRegistration(SCOPE);
      await registration?.update().catch(() => {});
    };
    const register = async () => {
      const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE });
      const look = () => {
        // Without a controller, this is the first version, so the user need not agree.
        if (!isOver && registration.waiting && navigator.serviceWorker.controller)
          setWaiting(registration.waiting);
      };
      look();
      registration.addEventListener("updatefound", () => {
        registration.installing?.addEventListener("statechange", look);
      });
    };
    // Without a service worker, the page works only online.
    register().catch(() => {});
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, []);

  if (waiting === null) return null;
  return () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => window.location.reload());
    waiting.postMessage("activate");
  };
}

export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("online", changed);
      window.addEventListener("offline", changed);
      return () => {
        window.removeEventListener("online", changed);
        window.removeEventListener("offline", changed);
      };
    },
    () => navigator.onLine,
    () => true,
  );
}
