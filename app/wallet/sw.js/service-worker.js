/*
 * The wallet's service worker. Stores the wallet's page and static files on the device, so that the wallet opens
 * offline, and serves them until the user accepts a newer version. Requests to APIs and to other sites bypass the
 * service worker. route.ts inserts the version: browsers reinstall a service worker when its bytes change.
 */
const VERSION = "__VERSION__";
const PREFIX = "svc-wallet-files-";
const CACHE = PREFIX + VERSION;
const PAGE = "/wallet";
const STATIC = "/_next/static/";
const FILES = [PAGE, "/wallet/manifest.webmanifest", "/wallet-icon-192.png", "/favicon.svg"];
/** Finds the paths, with or without `/_next/`, by which built files refer to each other. */
const NAMED = /(?:\/_next\/)?(static\/(?:chunks|media|css)\/[\w.~%/-]+\.(?:js|css|woff2?))/g;

self.addEventListener("install", (event) => event.waitUntil(keepFiles()));
self.addEventListener("activate", (event) =>
  event.waitUntil(dropOlderFiles().then(() => self.clients.claim())),
);
self.addEventListener("message", (event) => {
  if (event.data === "activate") self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const key = ownFile(event.request);
  if (key) event.respondWith(fromCache(key, event.request));
});

/** If a file is missing, this version is not installed. */
async function keepFiles() {
  const cache = await caches.open(CACHE);
  const known = new Set(FILES);
  for (let wave = FILES; wave.length > 0; ) {
    const texts = await Promise.all(wave.map((path) => keepFile(cache, path)));
    const named = texts.flatMap((text) => Array.from(text.matchAll(NAMED), ([, name]) => `/_next/${name}`));
    wave = [...new Set(named)].filter((path) => !known.has(path));
    for (const path of wave) known.add(path);
  }
}

async function keepFile(cache, path) {
  // Sends no cookies, so that the stored page does not depend on who is signed in.
  const response = await fetch(path, { credentials: "omit", cache: path === PAGE ? "no-store" : "default" });
  if (response.status !== 200 || response.redirected) throw new Error(`${path}: ${response.status}`);
  const text = /html|javascript|css/.test(response.headers.get("content-type") ?? "")
    ? await response.clone().text()
    : "";
  await cache.put(path, response);
  return text;
}

async function dropOlderFiles() {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
}

/** Null for a request that is not for one of the wallet's files. */
function ownFile({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== self.location.origin) return null;
  if (mode === "navigate") return pathname === PAGE ? PAGE : null;
  return pathname.startsWith(STATIC) || (FILES.includes(pathname) && pathname !== PAGE) ? pathname : null;
}

async function fromCache(key, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(key)) ?? fetch(request);
}
