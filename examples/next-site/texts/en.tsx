import type { ReactNode } from "react";

type Link = (text: string) => ReactNode;

/** The texts of this site's pages. The login's texts are in @svc/react; `TextsProvider` replaces them. */
export const en = {
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
      { title: "Nothing to remember", text: "Your wallet confirms with your fingerprint or face." },
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
    trialNote: "Only in development. The trial wallet’s key is kept until you close this tab.",
  },

  register: {
    tab: "Create an account",
    title: "Create an account with your wallet",
    lead: "Your wallet creates a key only for this site. That key is your account.",
    other: (signIn: Link) => <>Already have an account? {signIn("Sign in")}</>,
  },

  wallet: {
    title: "Get a wallet",
    lead: "A wallet is an app that keeps your keys. You sign in by scanning a code with it, so there is no password.",
    steps: [
      "Install a wallet. (Name wallets here that work for your users, with links.)",
      "Open the wallet. It creates your keys, and shows you how to back them up.",
      "Come back and scan the code with your wallet.",
    ],
    back: "Back to the code",
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
  },

  notFound: {
    title: "Page not found",
    text: "The address may be mistyped, or the page has moved.",
    home: "Go to the home page",
  },
};

/** The texts that every language must have. */
export type Texts = typeof en;
