import { connection } from "next/server";
import "./globals.css";

export const metadata = { title: { default: "Your site", template: "%s · Your site" } };

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // No page is prerendered: each answer's content security policy has a nonce of its own.
  await connection();
  return (
    <html lang="en">
      <body className="min-h-dvh">
        <main>{children}</main>
      </body>
    </html>
  );
}
