"use client";

import { de } from "./de.tsx";
import { en, type Texts } from "./en.tsx";
import { TextsContext } from "./texts.tsx";

const LANGUAGES = { en, de } satisfies Record<string, Texts>;

export type PartialTexts = DeepPartial<Texts>;
type DeepPartial<Part> = Part extends string | readonly unknown[] | ((...args: never[]) => unknown)
  ? Part
  : { [Key in keyof Part]?: DeepPartial<Part[Key]> };

/**
 * A server component can pass the language and texts that are strings. Texts that are functions, and languages that you
 * have added, must come from a client component.
 * @param props.texts texts that replace those of the language
 */
export function TextsProvider({
  language = "en",
  texts,
  children,
}: {
  language?: keyof typeof LANGUAGES;
  texts?: PartialTexts;
  children: React.ReactNode;
}) {
  const base = LANGUAGES[language];
  return <TextsContext value={texts ? (merge(base, texts) as Texts) : base}>{children}</TextsContext>;
}

function merge(base: unknown, overrides: unknown): unknown {
  if (overrides === undefined) return base;
  if (!isGroup(base) || !isGroup(overrides)) return overrides;
  const entries = Object.entries(base).map(([name, value]) => [name, merge(value, overrides[name])]);
  return Object.fromEntries(entries);
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
