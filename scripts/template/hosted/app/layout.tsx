import { headers } from "next/headers";
import { languageOf, wordsOf } from "@/components/words/languages.ts";
import { WordsProvider } from "@/components/words/words.tsx";
import "./globals.css";

export const generateMetadata = async () => ({ title: wordsOf(await headers()).site.name });

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // Every page is rendered for its request, with the browser's language and a nonce of its own.
  const language = languageOf(await headers());
  return (
    <html lang={language}>
      <body className="min-h-dvh">
        <WordsProvider language={language}>{children}</WordsProvider>
      </body>
    </html>
  );
}
