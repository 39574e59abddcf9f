"use client";

import { createContext, use } from "react";
import type { Words } from "./en.tsx";
import { LANGUAGES, type Language } from "./languages.ts";

const WordsContext = createContext<Words>(LANGUAGES.en);

/** Wraps every page, and provides the words in the language of its request. */
export function WordsProvider({ language, children }: { language: Language; children: React.ReactNode }) {
  return <WordsContext value={LANGUAGES[language]}>{children}</WordsContext>;
}

/** The words for a client component. Server components call `wordsOf`. */
export function useWords(): Words {
  return use(WordsContext);
}
