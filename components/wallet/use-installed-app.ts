"use client";

import { useEffect, useState, useSyncExternalStore } from "react";

const SCRIPT = "/wallet/sw.js";
const SCOPE = "/wallet";

/**
 * This is not configuration: the bundler replaces the expression, so it says which kind of bundle this is. In a bundle
 * for hot reload a file's name does not change with its content, so a cached file would be outdated.
 */
const BUILT = process.env.NODE_ENV === "production";

/**
 * Keeps this page's own files on the device (see the service worker), so that the page opens offline, and changes only
 * when its user agrees.
 * @returns a function that switches to a newer version of the wallet; null until there is one
 */
export function useInstalledFiles(): (() => void) | null {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);

  useEffect(() => {
    if (!BUILT || !("serviceWorker" in navigator)) return;
    let isOver = false;
    // An app stays open for days, so check for a newer version whenever it becomes visible.
    const onVisible = async () => {
      if (document.visibilityState !== "visible") return;
      const registration = await navigator.serviceWorker.getRegistration(SCOPE);
      await registration?.update().catch(() => {});
    };
    const register = async () => {
      const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE });
      const look = () => {
        // Without a controller this is the first version, so there is nothing to agree to.
        if (!isOver && registration.waiting && navigator.serviceWorker.controller)
          setWaiting(registration.waiting);
      };
      look();
      registration.addEventListener("updatefound", () => {
        registration.installing?.addEventListener("statechange", look);
      });
    };
    // If the service worker cannot be registered, the page still works online.
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

/** Returns false while the device reports that it has no network. */
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
