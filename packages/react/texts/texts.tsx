"use client";

import { createContext, use } from "react";
import { en, type Texts } from "./en.tsx";

export const TextsContext = createContext<Texts>(en);

/** Returns the texts for the components: English ones, unless the component is inside a `TextsProvider`. */
export function useTexts(): Texts {
  return use(TextsContext);
}
