import { TextsProvider } from "@svc/react";
import { headers } from "next/headers";
import { SiteHeader } from "@/components/site-header.tsx";
import { languageOf, textsOf } from "@/texts.ts";
import "@svc/react/styles.css";
import "./globals.css";

export const generateMetadata = async () => ({ title: textsOf(await headers()).name });

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  const language = languageOf(await headers());
  return (
    <html lang={language}>
      <body>
        <TextsProvider language={language}>
          <SiteHeader />
          <main>{children}</main>
        </TextsProvider>
      </body>
    </html>
  );
}
