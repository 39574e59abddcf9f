import { preferredLanguage } from "@svc/react";

/** The texts of this site's pages. The login's texts are in @svc/react. */
const en = {
  name: "Your site",
  menu: "Main",
  signIn: "Sign in",
  user: (userId: number | string) => `User ${userId}`,
  title: "Sign in with your wallet",
  lead: "No password needed. Your wallet proves it’s you.",
  other: "The first sign-in with a wallet creates an account.",
  dashboard: "Dashboard",
  signedIn: (userId: number | string) => `You are signed in as user ${userId}.`,
};

const de: typeof en = {
  name: "Deine Seite",
  menu: "Hauptmenü",
  signIn: "Anmelden",
  user: (userId) => `Nutzer ${userId}`,
  title: "Mit deinem Wallet anmelden",
  lead: "Kein Passwort: Dein Wallet beweist, dass du es bist.",
  other: "Ein Wallet, das hier neu ist, bekommt mit der Anmeldung ein Konto.",
  dashboard: "Übersicht",
  signedIn: (userId) => `Du bist als Nutzer ${userId} angemeldet.`,
};

/** Returns the language of a page: the browser's preferred one, or English if the browser accepts neither. */
export const languageOf = (headers: Headers) => preferredLanguage(headers, ["en", "de"]);

export const textsOf = (headers: Headers) => ({ en, de })[languageOf(headers)];
