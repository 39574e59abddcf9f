"use client";

import { createContext, useContext, useState } from "react";
import { flushSync } from "react-dom";
import type { ParseOptions } from "sugar-high/core";
import * as javascript from "sugar-high/lang/javascript";
import * as python from "sugar-high/lang/python";
import * as shell from "sugar-high/lang/shell";
import { CodeBlock, ColouredCode } from "#components/ui/code.tsx";
import {
  type ApiRequest,
  formatSnippet,
  isSnippetLanguage,
  SNIPPET_LANGUAGE_NAMES,
  SNIPPET_LANGUAGES,
  type SnippetLanguage,
} from "#lib/hosted/contract/snippet.ts";
import { LANGUAGE_COOKIE } from "#lib/platform/http/preference-cookies.ts";

const GRAMMARS = { curl: shell, node: javascript, python } as Record<SnippetLanguage, ParseOptions>;

export function RequestSample({ title, request }: { title: string; request: ApiRequest }) {
  const { language, choose } = useContext(LanguageChoice);
  const code = formatSnippet(language, request);
  return (
    <CodeBlock
      label={title}
      code={code}
      actions={
        <select
          aria-label={`Language of the example: ${title}`}
          value={language}
          onChange={({ currentTarget }) => {
            if (isSnippetLanguage(currentTarget.value)) choose(currentTarget.value, currentTarget);
          }}
          className="min-h-9 rounded-base border border-input bg-card px-2 text-sm print:hidden"
        >
          {SNIPPET_LANGUAGES.map((name) => (
            <option key={name} value={name}>
              {SNIPPET_LANGUAGE_NAMES[name]}
            </option>
          ))}
        </select>
      }
    >
      <ColouredCode code={code} grammar={GRAMMARS[language]} />
    </CodeBlock>
  );
}

const REMEMBERED_SECONDS = 365 * 24 * 3_600;

type Choice = { language: SnippetLanguage; choose(language: SnippetLanguage, at: HTMLElement): void };

const LanguageChoice = createContext<Choice>({ language: "curl", choose: () => {} });

/**
 * @param initial the language that the server rendered: the reader's last choice, so that nothing moves after loading
 */
export function LanguageProvider({
  initial,
  children,
}: {
  initial: SnippetLanguage;
  children: React.ReactNode;
}) {
  const [language, setLanguage] = useState(initial);
  const choose: Choice["choose"] = (chosen, at) => {
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the cookie store, nor every origin
    document.cookie = `${LANGUAGE_COOKIE}=${chosen}; Path=/docs; Max-Age=${REMEMBERED_SECONDS}; SameSite=Lax`;
    // A new language also changes the height of the examples above. Scrolls so that the visible part stays in place.
    const previousTop = at.getBoundingClientRect().top;
    flushSync(() => setLanguage(chosen));
    window.scrollBy({ top: at.getBoundingClientRect().top - previousTop, behavior: "instant" });
  };
  return <LanguageChoice value={{ language, choose }}>{children}</LanguageChoice>;
}
