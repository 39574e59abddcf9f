import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import { connection } from "next/server";
import { HeaderUser } from "#components/account/person.tsx";
import { SiteFooter, SiteHeader } from "#components/site/frame.tsx";
import { typeface } from "#components/site/typeface.ts";
import { env } from "#lib/platform/env.ts";
import { readTheme, THEME_COOKIE } from "#lib/platform/http/preference-cookies.ts";
import { requireClient } from "#packages/login/http/client-address.ts";
import { personIfKnown } from "./current-person.ts";
import "./globals.css";

const TITLE = "svc login: sign in with a key, not a password";
const DESCRIPTION =
  "Scan a code, confirm in your wallet, and you’re in. Your wallet proves it’s you, with a different key for each site.";

export function generateMetadata(): Metadata {
  return {
    metadataBase: env().APP_URL,
    title: { default: TITLE, template: "%s · svc login" },
    description: DESCRIPTION,
    manifest: "/site.webmanifest",
    icons: {
      icon: [
        { url: "/favicon.ico", sizes: "32x32" },
        { url: "/favicon.svg", type: "image/svg+xml" },
      ],
      apple: { url: "/apple-touch-icon.png", sizes: "180x180" },
    },
    openGraph: {
      type: "website",
      siteName: "svc login",
      images: { url: "/share.png", width: 1200, height: 630, alt: TITLE },
    },
    twitter: { card: "summary_large_image" },
  };
}

const THEME_COLORS = { light: "#ffffff", dark: "#16181b" } as const;

export async function generateViewport(): Promise<Viewport> {
  const theme = await chosenTheme();
  if (theme) return { themeColor: THEME_COLORS[theme] };
  return {
    themeColor: [
      { media: "(prefers-color-scheme: light)", color: THEME_COLORS.light },
      { media: "(prefers-color-scheme: dark)", color: THEME_COLORS.dark },
    ],
  };
}

async function chosenTheme() {
  return readTheme((await cookies()).get(THEME_COOKIE)?.value);
}

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // Prevents prerendering, because the content security policy needs a new nonce in each response.
  await connection();
  // Throws if the request has bypassed the gate, because the page would then have no content security policy.
  requireClient({ headers: await headers() });
  const theme = await chosenTheme();
  const person = await personIfKnown();
  return (
    // The theme can change before React hydrates the page.
    <html lang="en" data-theme={theme} className={typeface.variable} suppressHydrationWarning>
      <body className="flex min-h-dvh flex-col">
        <SiteHeader user={person && <HeaderUser person={person} />} />
        {person === undefined && <DatabaseDown hasWallet={env().DEMO_WALLET} />}
        <main id="content" tabIndex={-1} className="grow outline-none">
          {children}
        </main>
        <SiteFooter theme={theme} sourceUrl={env().SOURCE_URL ?? "/docs/guides/architecture"} />
      </body>
    </html>
  );
}

function DatabaseDown({ hasWallet }: { hasWallet: boolean }) {
  return (
    <p role="status" className="border-b bg-warning-surface px-4 py-2 text-center text-sm text-warning">
      We cannot reach our database, so nobody can sign in right now. Accounts are not affected. The docs
      {hasWallet && " and the wallet in this browser"} still work.
    </p>
  );
}
