import { connection } from "next/server";
import { SiteHeader } from "@/components/site-header.tsx";
import "./globals.css";

export const metadata = { title: { default: "Your site", template: "%s · Your site" } };

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // No page is prerendered: each answer's content security policy has a nonce of its own.
  await connection();
  return (
    <html lang="en">
      <body className="flex min-h-dvh flex-col">
        <SiteHeader />
        <main className="grow">{children}</main>
        <footer className="border-t px-4 py-6 text-center text-muted-foreground text-sm">
          Your site keeps no passwords, only public keys.
        </footer>
      </body>
    </html>
  );
}
