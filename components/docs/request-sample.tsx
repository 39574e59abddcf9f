"use client";

import { CopyButton } from "#components/ui/copy-button.tsx";
import {
  type ApiRequest,
  isLanguage,
  LANGUAGE_NAMES,
  LANGUAGES,
  snippetOf,
} from "#lib/hosted/contract/snippet.ts";
import { useLanguage } from "./language.tsx";
import { Sample } from "./sample.tsx";

/** A request in the language that the reader chose, with the choice beside it. */
export function RequestSample({ title, request }: { title: string; request: ApiRequest }) {
  const { language, choose } = useLanguage();
  const code = snippetOf(language, request);
  return (
    <Sample
      title={title}
      code={code}
      actions={
        <>
          <select
            aria-label={`Language of the example: ${title}`}
            value={language}
            onChange={({ currentTarget }) => {
              if (isLanguage(currentTarget.value)) choose(currentTarget.value, currentTarget);
            }}
            className="min-h-9 rounded-base border border-input bg-card px-2 text-sm print:hidden"
          >
            {LANGUAGES.map((name) => (
              <option key={name} value={name}>
                {LANGUAGE_NAMES[name]}
              </option>
            ))}
          </select>
          <CopyButton text={code} size="small">
            Copy
          </CopyButton>
        </>
      }
    />
  );
}
