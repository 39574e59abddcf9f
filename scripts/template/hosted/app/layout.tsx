import { headers } from "next/headers";
import { SiteHeader } from "@/components/site-header.tsx";
import { languageOf, wordsOf } from "@/components/words/languages.ts";
import { WordsProvider } from "@/components/words/words.tsx";
import "./globals.css";

export const generateMetadata = async () => ({ title: wordsOf(await headers()).site.name });

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  const language = languageOf(await headers());
  return (
    <html lang={language}>
      <body className="min-h-dvh">
        <WordsProvider language={language}>
          <SiteHeader />
          <main>{children}</main>
        </WordsProvider>
      </body>
    </html>
  );
}
