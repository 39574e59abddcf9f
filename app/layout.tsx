import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import { connection } from "next/server";
import { SiteFooter, SiteHeader } from "#components/site/frame.tsx";
import { loginCore } from "#lib/account/login.ts";
import { sessionCookieName } from "#lib/login/server/session-token.ts";
import { requireClient } from "#lib/platform/http/client-stamp.ts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "svc login: sign in with a key, not a password", template: "%s · svc login" },
  description:
    "Passwordless login by QR code: your wallet signs a one-time challenge with a key made for this site alone.",
  manifest: "/site.webmanifest",
  icons: {
    icon: { url: "/favicon.svg", type: "image/svg+xml" },
    apple: { url: "/apple-touch-icon.png", sizes: "180x180" },
  },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#16181b" },
  ],
};

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // No page is prerendered: the content security policy needs a nonce of its own in each answer.
  await connection();
  // A page without the gate would have no policy.
  requireClient({ headers: await headers() });
  const jar = await cookies();
  // Only to name the right link: pages that matter ask `currentSession()`.
  const signedIn = jar.has(sessionCookieName(loginCore()));
  return (
    <html lang="en">
      <body className="flex min-h-dvh flex-col">
        <SiteHeader signedIn={signedIn} />
        <main id="content" tabIndex={-1} className="grow outline-none">
          {children}
        </main>
        <SiteFooter />
      </body>
    </html>
  );
}
