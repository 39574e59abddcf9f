import { type LoginWords, loginWords } from "./en.tsx";

/** The words of the components that a generated site also gets. Here they are English; that site has more languages. */
export function useWords(): LoginWords {
  return loginWords;
}
