"use client";

import { useEffect, useState, useSyncExternalStore } from "react";

const SCRIPT = "/wallet/sw.js";
const SCOPE = "/wallet";

/**
 * No configuration: the bundler writes the word in, so this says which kind of bundle it stands in. In one for hot
 * reload a file keeps its name when its content changes, and a kept one would be an old one.
 */
const BUILT = process.env.NODE_ENV === "production";

/**
 * Keeps this page's own files on the device (see the service worker), so that it opens offline, and changes
 * only when its user agrees.
 * @returns what switches to a newer version of the wallet; null before there is one
 */
export function useInstalledFiles(): (() => void) | null {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);

  useEffect(() => {
    if (!BUILT || !("serviceWorker" in navigator)) return;
    let over = false;
    // An app stays open for days: it looks for a newer version whenever it comes into sight.
    const onVisible = async () => {
      if (document.visibilityState !== "visible") return;
      const registration = await navigator.serviceWorker.getRegistration(SCOPE);
      await registration?.update().catch(() => {});
    };
    const register = async () => {
      const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE });
      const look = () => {
        // Without a controller this is the first version, and nothing to agree to.
        if (!over && registration.waiting && navigator.serviceWorker.controller)
          setWaiting(registration.waiting);
      };
      look();
      registration.addEventListener("updatefound", () => {
        registration.installing?.addEventListener("statechange", look);
      });
    };
    // Where it cannot be registered the page works all the same, online.
    register().catch(() => {});
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, []);

  if (waiting === null) return null;
  return () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => window.location.reload());
    waiting.postMessage("activate");
  };
}

/** False while the device knows that it has no network. */
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
