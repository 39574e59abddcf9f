import { notFound } from "next/navigation";
import { env } from "#lib/platform/env.ts";

export const dynamic = "force-dynamic";

/** Lets the wallet be installed on a home screen and open `web+svc:` links. */
const MANIFEST = {
  id: "/wallet",
  name: "svc wallet",
  short_name: "Wallet",
  description: "Sign in by scanning a code and confirming with your fingerprint or face.",
  start_url: "/wallet",
  scope: "/wallet",
  display: "standalone",
  background_color: "#fafafa",
  theme_color: "#ffffff",
  icons: [
    { src: "/wallet-icon-192.png", type: "image/png", sizes: "192x192" },
    { src: "/wallet-icon-512.png", type: "image/png", sizes: "512x512" },
    { src: "/wallet-icon-maskable-512.png", type: "image/png", sizes: "512x512", purpose: "maskable" },
  ],
  // Passes the link in the fragment, which browsers never send to a server.
  protocol_handlers: [{ protocol: "web+svc", url: "/wallet#%s" }],
  launch_handler: { client_mode: "navigate-existing" },
};

export function GET(): Response {
  if (!env().DEMO_WALLET) notFound();
  return new Response(JSON.stringify(MANIFEST), {
    headers: { "Content-Type": "application/manifest+json", "Cache-Control": "no-cache" },
  });
}
