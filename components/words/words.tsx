import { type LoginWords, loginWords } from "./en.tsx";

/** The words of the components that a generated site gets too. This application speaks English; such a site has more. */
export function useWords(): LoginWords {
  return loginWords;
}
