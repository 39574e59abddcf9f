"use client";

import { createContext, use } from "react";
import { en, type Texts } from "./en.tsx";

export const TextsContext = createContext<Texts>(en);

/** English texts, unless the component is inside a `TextsProvider`. */
export function useTexts(): Texts {
  return use(TextsContext);
}
