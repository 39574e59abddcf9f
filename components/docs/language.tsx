"use client";

import { createContext, useContext, useState } from "react";
import { flushSync } from "react-dom";
import type { Language } from "#lib/hosted/contract/snippet.ts";
import { LANGUAGE_COOKIE } from "#lib/platform/http/preference-cookies.ts";

const REMEMBERED_SECONDS = 365 * 24 * 3_600;

type Choice = { language: Language; choose(language: Language, at: HTMLElement): void };

const LanguageChoice = createContext<Choice>({ language: "curl", choose: () => {} });

/** The language of the examples, and how a reader chooses another. */
export function useLanguage(): Choice {
  return useContext(LanguageChoice);
}

/**
 * Holds the language of every example on the page.
 * @param initial what the server rendered: the reader's choice of the last time, so that nothing moves at the start
 */
export function LanguageProvider({ initial, children }: { initial: Language; children: React.ReactNode }) {
  const [language, setLanguage] = useState(initial);
  const choose: Choice["choose"] = (chosen, at) => {
    remember(chosen);
    // The examples above change their height too: what the reader looks at stays where it is.
    const before = at.getBoundingClientRect().top;
    flushSync(() => setLanguage(chosen));
    window.scrollBy({ top: at.getBoundingClientRect().top - before, behavior: "instant" });
  };
  return <LanguageChoice value={{ language, choose }}>{children}</LanguageChoice>;
}

function remember(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the cookie store, nor every origin
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/docs; Max-Age=${REMEMBERED_SECONDS}; SameSite=Lax`;
}
