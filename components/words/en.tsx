import type { ReactNode } from "react";

/** The text of the line under a code. */
export const line = (title: string, detail: string | null = null) => ({ title, detail });

/**
 * All that people read in the panel, in recovery and in approvals, in English. A part of a sentence that is set apart,
 * such as a domain, is an argument, since other languages put it elsewhere.
 */
export const loginWords = {
  /** For numbers and times, and the page's `lang`. */
  language: "en",

  controls: {
    cancel: "Cancel",
    copied: "Copied",
    notCopied: "Could not copy",
    notMine: "Not mine",
    signOut: "Sign out",
    signingOut: "Signing out…",
    stillSignedIn: "You are still signed in. Try again.",
    seconds: (seconds: number) => `${seconds} s`,
    /** A browser as the server names it: `Firefox on Linux`. */
    browser: (name: string): string => name,
  },

  /** Why the site refused a change, in the server's English. A page that was left open had been signed in. */
  refusal: (code: string, message: string): string =>
    code === "not_signed_in" ? "Your sign-in has ended." : message,
  signInAgain: "Sign in again",
  unreachable: "We cannot reach the site. Try again.",

  panel: {
    /** Before the domain. */
    intents: {
      login: "Sign in to",
      register: "Create an account at",
      add: "Another way to sign in to",
      approve: "Approve a change to your account at",
      recover: "Recover your account at",
    },
    pictureOf: (intent: string, domain: string) => `QR code: ${intent.toLowerCase()} ${domain}`,
    openInWallet: "Open in wallet",
    copyLink: "Copy link",
    noWallet: "No wallet opened: this device seems to have none.",
    noWalletWays: (hasDemoWallet: boolean): string =>
      hasDemoWallet
        ? "Scan the code with a phone’s wallet, or use the demo wallet."
        : "Scan the code with a phone’s wallet, or copy the link into one.",
    demoWallet: "Try with the demo wallet",
    inNewTab: "(opens a new tab)",
    newCodeIn: "New code in",
    nextTryIn: "Next try in",
    createHere: "Create an account with this wallet",
    anotherWallet: "Use another wallet",
    newCode: "Show a new code",
    tryNow: "Try now",
    tryAgain: "Try again",
    startAgain: "Start again",
    openThere: "Open it there",
  },

  /** The line under the code, by the state of the login: a title, and what more there is to say. */
  status: {
    loading: line("Getting a code…"),
    waiting: line("Waiting for your wallet"),
    received: "Your wallet answered",
    next: {
      login: "Signing you in…",
      register: "Signing you in…",
      add: "One more question…",
      approve: "Approved. Going on…",
      recover: "One more question…",
    },
    signedIn: line("You’re signed in", "One moment…"),
    unregistered: line(
      "This wallet has no account here yet",
      "The signature is valid, but no account here uses this wallet.",
    ),
    paused: line("Still there?", "You were away for five minutes, so the code has expired."),
    offline: (domain: string) => line("No connection", `We cannot reach ${domain}. We keep trying.`),
    limited: line("Too many tries", "Too many codes were requested from your network. We try again shortly."),
    unavailable: (domain: string) =>
      line("We could not get a code", `${domain} has a problem. We keep trying.`),
    notSignedIn: line(
      "We could not sign you in",
      "Your wallet's answer was accepted, but not for this browser. Please start again.",
    ),
    notRegistered: line(
      "We could not finish your registration",
      "Your wallet's answer was accepted, but not for this browser. Please start again.",
    ),
    noCookies: (domain: string) =>
      line(
        "Your browser blocks cookies",
        `${domain} keeps your sign-in in one. Allow cookies for ${domain} in your browser’s settings, then start again.`,
      ),
    elsewhere: (origin: string) =>
      line("Nobody can sign in at this URL", `The site’s own is ${origin}: open the page there.`),
    ended: line("Your sign-in has ended", "This browser was signed out, or its time ran out."),
    recoveryEnded: line(
      "This recovery is no longer open",
      "Its time is over, or it was cancelled or confirmed elsewhere.",
    ),
    refused: {
      challenge_expired: line(
        "That code had expired",
        "Your wallet answered too late. Scan the code that is shown now.",
      ),
      invalid_signature: line(
        "That answer was not valid",
        "A wallet answered, but its signature did not fit. Nobody was signed in. Scan the code again.",
      ),
      intent_mismatch: line(
        "That code was changed on its way",
        "A wallet was shown another question than this page asks, so its answer did nothing. Scan the code on this screen, and no copy of it.",
      ),
      foreign_key: line(
        "That was not your key",
        "A wallet answered with a key that your account does not have. Approve with one that signs you in.",
      ),
    },
    knownKey: line(
      "This wallet has an account here already",
      "Sign in with it instead. To recover another account, use a wallet or an account number that is new here.",
    ),
  },

  screen: {
    needsScript: "Turn on JavaScript to see the code",
    whyScript:
      "The code is a new one every 30 seconds, and this page notices your wallet’s answer. Both need JavaScript. Turn it on in your browser’s settings, then load this page again.",
    scan: "Open your wallet and scan the code. On this device, choose “Open in wallet”.",
    compare: (domain: ReactNode) => (
      <>Check that your wallet names {domain}, then confirm. If it names anything else, decline.</>
    ),
    afterwards: {
      login: "You’ll be signed in automatically.",
      register:
        "Your account is made with the key that your wallet keeps for this site, and you are signed in.",
    },
    oneTimeCode: "one-time code",
    signature: "signature",
  },

  approval: {
    title: "Approve this change",
    text: "You signed in more than ten minutes ago. Show that it’s you: approve with a wallet of yours.",
    withKey: "Approve with a wallet’s key instead",
    withAddress: "Approve with a Bitcoin address instead",
  },

  recovery: {
    title: "Recover your account",
    lead: "You lost your wallet, and have one of your recovery codes.",
    needsScript: "Turn on JavaScript to go on",
    whyScript:
      "Your code is checked for typing errors here, before it is sent. Turn JavaScript on in your browser’s settings, then load this page again.",
    enter: "Enter a recovery code",
    steps: [
      "Enter one of your recovery codes. It is used up only when your new wallet is confirmed.",
      "Scan the code that follows with your new wallet, and compare what it shows.",
      "Confirm. Your new wallet signs in, and every other browser is signed out.",
    ],
    haveWallet: (signIn: (text: string) => ReactNode) => <>Still have a wallet? {signIn("Sign in")}.</>,
    noWayBack: "Without a code and without a wallet nobody can open your account, not even us.",
    cancelled:
      "The recovery was cancelled from a browser that is signed in to the account, by new codes, or in the wallet that answered. If that was not you, sign in with a wallet that you still have, or use your other code.",
    expired:
      "The fifteen minutes to choose a new wallet are over. Your code was not used up: enter it again.",
    choose: { wallet: "Choose your new wallet", address: "Choose your new address" },
    chooseLead: (userId: number | string) =>
      `You are recovering user ${userId}. Your recovery code is right, and is not used up yet.`,
    account: (since: ReactNode, until: ReactNode) => (
      <>
        The account was made on {since}. You have until {until}. If this is not your account, close this page.
      </>
    ),
    scanNew: {
      wallet: "Scan the QR code with the wallet that will open your account. This site must not know it yet.",
      address:
        "Scan the QR code with the address that will open your account. This site must not know it yet.",
    },
    comeBack: "Come back to this page. Compare what it shows with what your wallet shows.",
    confirm: "Confirm, and the account is yours again. Others who saw the QR code get nothing.",
    isYours: { wallet: "Is this your new wallet?", address: "Is this your new address?" },
    answered: (userId: number | string, waits: boolean) =>
      `It answered the code. Once confirmed, it opens the account of user ${userId}${
        waits
          ? ", after a time in which signed-in browsers can cancel it."
          : ", and every other browser is signed out."
      }`,
    showsTheSame: {
      wallet: "Your wallet shows the same words and digits. If anything differs, it is not yours.",
      address: "Your wallet shows the same. If anything differs, it is not yours.",
    },
    usedUp: (waits: boolean): string =>
      waits ? "Your code is used up when it takes effect." : "Your code is used up by this.",
    itIsMine: "It is mine",
    recovering: "Recovering…",
    nothing: "There is nothing to confirm",
    nothingText:
      "The QR code was not answered, was used, or has expired. Your recovery code was not used up.",
    blocked: "Another recovery of this account waits",
    blockedText: (when: ReactNode) => (
      <>It takes effect {when}. Until then no second one can be confirmed. Your code is not used up.</>
    ),
    blockedWhy:
      "If it is not yours, cancel it in a browser that is signed in to the account, or sign in with a wallet that you still have and cancel it there. Then look again. If it is yours, wait, and sign in with the wallet that you confirmed.",
    lookAgain: "Look again",
    waits: "Your recovery waits",
    waitsText: (when: ReactNode, userId: number | string) => (
      <>
        It takes effect {when}. Then you sign in to the account of user {userId} with your new wallet:
      </>
    ),
    waitsWhy:
      "Until then every browser that is signed in to the account shows it, and can cancel it, so nobody who finds a code can take your account over unnoticed. You can close this page, and come back to it in this browser. Keep your new wallet.",
    finished: "Your account is recovered",
    finishedText:
      "Sign in with your new wallet. Then make new recovery codes: the one that you used is over.",
    signIn: "Sign in",
    pending: "Your account is being recovered with one of your codes",
    pendingText: (started: ReactNode, browser: string, when: ReactNode, credential: ReactNode) => (
      <>
        It was started on {started}, in {browser}. It takes effect on {when}: then {credential} signs in, and
        every other browser is signed out.
      </>
    ),
    pendingWarning: "If this is not you, cancel it and make new codes: somebody has one of yours.",
    cancel: "Cancel the recovery",
    cancelling: "Cancelling…",
  },

  codes: {
    title: "Recovery codes",
    lead: "They bring your account back when your wallet is lost. They sign nobody in: they let you choose a new wallet.",
    back: "Back to the dashboard",
    twoCodes: "Two codes, for two places",
    ageing: "This site is changing its secret. The codes that you have will stop working: make new ones.",
    working: (count: number) => (count === 1 ? "1 code works" : `${count} codes work`),
    madeAt: (when: ReactNode) => <>made {when}</>,
    unconfirmed: "You made codes but never activated them. Make new ones.",
    none: "You have none. If you lose your wallet, there is no way back into your account without a second one.",
    make: "Make recovery codes",
    makeTwo: "Make two codes",
    makeNew: "Make new codes",
    makeNewQuestion: "The codes that you have now end at once.",
    makeNewConfirm: "Yes, make new ones",
    making: "Making…",
    failed: "That did not work. Try again.",
    tryTitle: "Try a code",
    tryText: "See whether what you kept can be read and works. Trying a code does not use it up.",
    tryIt: "Try it",
    trying: "Trying…",
    works: "This code works. It was not used up: put it back where it was.",
    continue: "Continue",
    checking: "Checking…",
    label: "Recovery code",
    hint: "Upper or lower case, with or without hyphens.",
    mistyped:
      "There is a typing error: a code has 25 characters, without the letter U. Compare it with your sheet. No try was used.",
    tooMany: (minutes: number) =>
      `Too many tries. For safety a code can be tried five times an hour. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    keep: "Keep these two codes",
    keepText:
      "They are shown this once. Keep them in two places, away from your wallet: either one brings your account back, and whoever has one can take it over.",
    yours: "Your recovery codes",
    code: (number: number) => `Code ${number}`,
    print: "Print",
    download: "Download",
    copy: "Copy",
    toActivate: "Enter both codes to activate them.",
    saved: "I’ve saved them",
    enterBoth: "Enter both codes",
    enterBothText:
      "Type them from what you saved, so that you know it can be read. Case, spaces and hyphens do not matter.",
    differs: "This is not the code. Compare it with what you kept, character by character.",
    activate: "Activate them",
    activating: "Activating…",
    showAgain: "Show them again",
    active: "Your two codes work from now on.",
    cut: "Cut here, and keep the two slips in two places",
    slip: (number: number) => `Recovery code ${number} of 2`,
    madeFor: (userId: number | string, date: string) => `User ${userId}, made on ${date}`,
    slipText:
      "This code brings your account back when you have lost your wallet. Whoever has it can take your account over: keep it as you keep a house key. It works once, and the other slip works without it.",
    slipSteps: (address: ReactNode): ReactNode[] => [
      <>Go to {address}. Enter the code there and nowhere else.</>,
      "Scan the QR code with your new wallet, and confirm that it is yours.",
      "Make new codes when you are asked to, and throw these away.",
    ],
    file: ({
      domain,
      userId,
      date,
      codes,
      address,
    }: CodesFile) => `Recovery codes for ${domain}, user ${userId}, made on ${date}

Code 1: ${codes[0]}
Code 2: ${codes[1]}

Each brings your account back when you have lost your wallet, and works once. Whoever has one can take the account
over: keep them in two places. Enter a code at ${address} and nowhere else.
`,
  },
};

/** The words that every language must have here. */
export type LoginWords = typeof loginWords;

/** The contents of a file of recovery codes. */
export type CodesFile = {
  codes: readonly [string, string];
  domain: string;
  userId: number | string;
  date: string;
  /** Where the codes are entered. */
  address: string;
};
