"use client";

import { createContext, use } from "react";
import { en, type Texts } from "./en.tsx";

export const TextsContext = createContext<Texts>(en);

/** The texts of the components: English, unless a `TextsProvider` is around them. */
export function useTexts(): Texts {
  return use(TextsContext);
}
