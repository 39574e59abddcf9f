import { TextsProvider } from "@svc/react";
import { headers } from "next/headers";
import { SiteHeader } from "@/components/site-header.tsx";
import { languageOf, textsOf } from "@/texts/languages.ts";
import "./globals.css";

export async function generateMetadata() {
  const { name } = textsOf(await headers()).site;
  return { title: { default: name, template: `%s · ${name}` } };
}

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // Every page is rendered when it is requested, in the browser's language and with its own nonce.
  const language = languageOf(await headers());
  return (
    <html lang={language}>
      <body className="flex min-h-dvh flex-col">
        <TextsProvider language={language}>
          <SiteHeader />
          <main className="grow">{children}</main>
        </TextsProvider>
        <footer className="border-t px-4 py-6 text-center text-muted-foreground text-sm">
          {textsOf(await headers()).site.foot}
        </footer>
      </body>
    </html>
  );
}
