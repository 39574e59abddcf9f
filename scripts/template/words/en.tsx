import type { ReactNode } from "react";
import { loginWords } from "#packages/react/words/en.tsx";

type Link = (text: string) => ReactNode;

/** Every text that people read on this site. */
export const en = {
  ...loginWords,

  site: {
    name: "Your site",
    foot: "Your site stores public keys, never passwords.",
    menu: "Main",
    user: (userId: number | string) => `User ${userId}`,
    signIn: "Sign in",
    getStarted: "Get started",
  },

  home: {
    title: "The start of something good",
    lead: "Say in a sentence what people do here. They sign in with a wallet: no password, no e-mail.",
    create: "Create an account",
    signIn: "Sign in",
    reasons: [
      {
        title: "Scan to sign in",
        text: "There is no form to fill in. Scan a code, confirm in your wallet, and you are in.",
      },
      { title: "Nothing to remember", text: "Your wallet confirms with your finger or face." },
      {
        title: "Nothing to steal",
        text: "We store a public key. The private key never leaves your device.",
      },
    ],
  },

  login: {
    tab: "Sign in",
    title: "Sign in with your wallet",
    lead: "No password needed. Your wallet proves it’s you.",
    other: (create: Link, recover: Link) => (
      <>
        No account yet? {create("Create one with your wallet")}. Lost your wallet?{" "}
        {recover("Recover your account")}.
      </>
    ),
    trial: "Answer with a trial wallet",
    trialNote: "Only in development. Its key is kept until you close this tab.",
  },

  hosted: {
    title: "Sign in with your wallet",
    lead: "No password needed. Your wallet proves it’s you.",
    other: "The first sign-in of a wallet creates an account.",
  },

  register: {
    tab: "Create an account",
    title: "Create an account with your wallet",
    lead: "Your wallet makes a key only for this site. That key is your account.",
    other: (signIn: Link) => <>You have an account? {signIn("Sign in")}</>,
  },

  dashboard: {
    title: "Dashboard",
    signedIn: (userId: number | string) => `You are signed in as user ${userId}.`,
    notes: "Your notes",
    note: "Note",
    keep: "Keep",
    noteProblems: {
      characters: "This note has characters that cannot be shown. Remove them and try again.",
      full: "You have 100 notes. There is no room for another one.",
      tooMany: "Too many notes at a time. Wait a minute and try again.",
    },
    signInMethods: "Sign-in methods",
    added: (when: ReactNode) => <>added {when}</>,
    remove: "Remove",
    removing: "Removing…",
    browsers: "Where you are signed in",
    thisBrowser: "this browser",
    lastSeen: (when: ReactNode) => <>last seen {when}</>,
    signOutThere: "Sign out there",
    signingOut: "Signing out…",
  },

  lostWallet: {
    title: "If you lose your wallet",
    summary: (signInMethods: number, codes: number) =>
      `${signInMethods === 1 ? "1 sign-in method" : `${signInMethods} sign-in methods`}, ${codes === 0 ? "no codes" : codes === 1 ? "1 code" : `${codes} codes`}.`,
    before:
      "This account was recovered. Your old sign-in methods still work. If that wallet was stolen, or someone might find it, remove them.",
    removeBefore: "Remove the old sign-in methods",
    removing: "Removing…",
    noWayBack: "If you lose that wallet, you lose your account, unless you have recovery codes.",
    used: "The code that you used no longer works. Make new ones.",
    make: "Make recovery codes",
    codes: "Recovery codes",
  },

  notFound: {
    title: "Page not found",
    text: "The address may be mistyped, or the page has moved.",
    home: "Go to the home page",
  },
};

/** The words that every language must have. */
export type Words = typeof en;
