import type { ReactNode } from "react";

export const statusText = (title: string, detail: string | null = null) => ({ title, detail });

/**
 * If a part of a sentence, such as a domain, is formatted separately, that part is an argument, because its place
 * differs between languages.
 */
export const en = {
  /** Also the page's `lang`. */
  language: "en",

  controls: {
    cancel: "Cancel",
    copied: "Copied",
    notCopied: "Could not copy",
    notMine: "Not mine",
    confirm: "Confirm",
    signOut: "Sign out",
    signingOut: "Signing out…",
    stillSignedIn: "You are still signed in. Try again.",
    seconds: (seconds: number) => `${seconds} s`,
    justNow: "just now",
    /** As the server returns it: `Firefox on Linux`. */
    browser: (name: string): string => name,
  },

  /** Any refusal other than an ended sign-in repeats the server's English message. */
  refusal: (code: string, message: string): string =>
    code === "not_signed_in" ? "Your sign-in has ended." : message,
  signInAgain: "Sign in again",
  unreachable: "We cannot reach the site. Try again.",

  panel: {
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
    noWallet: "No wallet app opened. You may not have one on this device.",
    noWalletWays: (hasDemoWallet: boolean): string =>
      hasDemoWallet
        ? "Create a wallet in this browser, or copy the link into another wallet."
        : "Copy the link into a wallet, or scan the code with a wallet.",
    demoWallet: "Create a wallet in this browser",
    demoWalletAgain: "Open the wallet in this browser",
    /** For tests that look for the previous name of this link. The next release will remove it. */
    demoWalletBefore: "Try with the demo wallet",
    getWallet: "No wallet yet? Get one",
    showCode: "Show a code for another device",
    hideCode: "Hide the code",
    inNewTab: "(opens a new tab)",
    newCodeIn: "Code refreshes in",
    nextTryIn: "Next attempt in",
    createHere: "Create an account with this wallet",
    anotherWallet: "Use another wallet",
    newCode: "Show a new code",
    tryNow: "Try now",
    tryAgain: "Try again",
    startAgain: "Start again",
    openThere: "Open it there",
  },

  /** For each state of the login, a title and further details. */
  status: {
    loading: statusText("Getting a code…"),
    waiting: statusText("Waiting for your wallet"),
    received: "Your wallet answered",
    next: {
      login: "Signing you in…",
      register: "Signing you in…",
      add: "One more question…",
      approve: "Approved. Continuing…",
      recover: "One more question…",
    },
    signedIn: statusText("You’re signed in", "One moment…"),
    unregistered: statusText(
      "This wallet has no account here yet",
      "Nobody has signed up here with this wallet.",
    ),
    paused: statusText("Still there?", "You were away for five minutes, so the code has expired."),
    offline: (domain: string) => statusText("No connection", `We cannot reach ${domain}. We’ll keep trying.`),
    limited: statusText(
      "Too many attempts",
      "Too many codes were requested from your network. We’ll try again shortly.",
    ),
    unavailable: (domain: string) =>
      statusText("We could not get a code", `${domain} is having problems. We’ll keep trying.`),
    notSignedIn: statusText(
      "We could not sign you in",
      "Your wallet’s answer was accepted, but not for this browser. Please start again.",
    ),
    notRegistered: statusText(
      "We could not finish your registration",
      "Your wallet’s answer was accepted, but not for this browser. Please start again.",
    ),
    noCookies: (domain: string) =>
      statusText(
        "Your browser blocks cookies",
        `${domain} needs a cookie to keep you signed in. Allow cookies for ${domain} in your browser’s settings, then start again.`,
      ),
    elsewhere: (origin: string) =>
      statusText("You cannot sign in at this URL", `The site’s own URL is ${origin}. Open the page there.`),
    ended: statusText("Your sign-in has ended", "This browser was signed out, or the sign-in expired."),
    recoveryEnded: statusText(
      "This recovery is no longer open",
      "It has expired, or it was cancelled or confirmed elsewhere.",
    ),
    refused: {
      challenge_expired: statusText(
        "That code had expired",
        "Your wallet answered too late. Scan the code on the screen now.",
      ),
      invalid_signature: statusText(
        "That answer was not valid",
        "A wallet answered, but its signature is not valid. Scan the code again.",
      ),
      intent_mismatch: statusText(
        "That code was changed before your wallet read it",
        "The wallet showed a request that differs from the one in the code, so its answer was ignored. Scan the code on this screen, not a copy of it.",
      ),
      foreign_key: statusText(
        "That was not your key",
        "A wallet answered with a key that does not belong to your account. Approve with a wallet that you use to sign in here.",
      ),
    },
    knownKey: statusText(
      "This wallet already has an account here",
      "Sign in with it instead. To recover another account, use a wallet or an account number that is new here.",
    ),
    takenWallet: statusText(
      "This wallet already has an account here",
      "Scan the code with another wallet, or sign in with this one.",
    ),
  },

  screen: {
    needsScript: "Turn on JavaScript to see the code",
    whyScript:
      "The code changes every 30 seconds, and this page waits for your wallet’s answer. Both need JavaScript. Turn it on in your browser’s settings, then load this page again.",
    scan: "Open your wallet and scan the code. On this device, choose “Open in wallet”.",
    compare: (domain: ReactNode) => (
      <>Check that your wallet shows {domain}, then approve. If it shows anything else, decline.</>
    ),
    afterwards: {
      login: "You’ll be signed in automatically.",
      register: "Your wallet will create the account, and you’ll be signed in.",
    },
  },

  approval: {
    title: "Approve this change",
    text: "You signed in more than ten minutes ago. Confirm that it’s you by approving the change in your wallet.",
    cancelled: "Cancelled. Nothing was changed.",
    withKey: "Approve with a wallet’s key instead",
    withAddress: "Approve with a Bitcoin address instead",
  },

  recovery: {
    title: "Recover your account",
    lead: "For when you have lost your wallet but still have one of your recovery codes.",
    needsScript: "Turn on JavaScript to continue",
    whyScript:
      "This page checks your code for typing errors before sending it. Turn JavaScript on in your browser’s settings, then load this page again.",
    enter: "Enter a recovery code",
    steps: [
      "Enter one of your recovery codes. It is used up only when your new wallet is confirmed.",
      "Scan the QR code with your new wallet. Check that this page and your wallet show the same details.",
      "Confirm. You will be signed in with your new wallet, and every other browser will be signed out.",
    ],
    haveWallet: (signIn: (text: string) => ReactNode) => <>Still have a wallet? {signIn("Sign in")}.</>,
    noWayBack: "Without a code or a wallet, no one can sign in to your account, not even us.",
    cancelled:
      "The recovery was cancelled in a signed-in browser, by creating new codes, or in the wallet that answered. If that was not you, sign in with a wallet that you still have, or use your other code.",
    expired: "You did not choose a new wallet within fifteen minutes. Your code still works. Enter it again.",
    choose: { wallet: "Choose your new wallet", address: "Choose your new address" },
    chooseLead: (userId: number | string) =>
      `You are recovering the account of user ${userId}. Your recovery code is correct and has not been used yet.`,
    account: (since: ReactNode, until: ReactNode) => (
      <>
        The account was created on {since}. You have until {until}. If this is not your account, close this
        page.
      </>
    ),
    scanNew: {
      wallet:
        "Scan the QR code with the wallet that you want to sign in with. Choose a wallet that you haven’t used here before.",
      address:
        "Scan the QR code, and sign with the address that you want to sign in with. Choose an address that you haven’t used here before.",
    },
    comeBack: "Come back to this page. Compare what this page shows with what your wallet shows.",
    confirm: "Confirm, and the account is yours again. Other people who saw the QR code cannot use it.",
    isYours: { wallet: "Is this your new wallet?", address: "Is this your new address?" },
    answered: (userId: number | string, waits: boolean, what: "wallet" | "address") =>
      waits
        ? `This ${what} answered the code. If you confirm it, you can use it to sign in as user ${userId} once the waiting period is over. Until then, any signed-in browser can cancel the recovery.`
        : `This ${what} answered the code. If you confirm it, you can use it to sign in as user ${userId}, and every other browser will be signed out.`,
    showsTheSame: {
      wallet:
        "Your wallet should show the same words and digits. If anything is different, choose “Not mine”.",
      address: "Your wallet should show the same address. If anything is different, choose “Not mine”.",
    },
    usedUp: (waits: boolean): string =>
      waits ? "Your code will be used up when the recovery takes effect." : "This uses up your code.",
    itIsMine: "It is mine",
    recovering: "Recovering…",
    nothing: "There is nothing to confirm",
    nothingText:
      "The QR code was not answered, was already used, or has expired. Your recovery code was not used up.",
    blocked: "Another recovery of this account is waiting",
    blockedText: (when: ReactNode) => (
      <>
        The other recovery takes effect {when}. You cannot confirm this one until then. Your code has not been
        used up.
      </>
    ),
    blockedWhy:
      "If you did not start the other recovery, cancel it in a browser that is signed in to the account, or sign in with a wallet that you still have and cancel it there. Then check again. If you did start it, wait, and sign in with the wallet that you confirmed.",
    lookAgain: "Check again",
    waits: "Your recovery is waiting",
    waitsText: (when: ReactNode, userId: number | string) => (
      <>
        Your recovery takes effect {when}. From then on, you can sign in to the account of user {userId} with
        your new wallet:
      </>
    ),
    waitsWhy:
      "Until then, you can see and cancel this recovery in any browser that is signed in to your account, so someone who finds a code cannot take over your account without you noticing. You can close this page and come back to it in this browser. Keep your new wallet.",
    finished: "Your account is recovered",
    finishedText:
      "Sign in with your new wallet. Then create new recovery codes, because the one that you used no longer works.",
    signIn: "Sign in",
    pending: "Your account is being recovered with one of your codes",
    pendingText: (started: ReactNode, browser: string, when: ReactNode, credential: ReactNode) => (
      <>
        The recovery was started on {started}, in {browser}. It takes effect on {when}. From then on, you can
        sign in with {credential}, and every other browser will be signed out.
      </>
    ),
    pendingWarning:
      "If you did not start it, cancel the recovery and create new codes: someone else has one of your codes.",
    cancel: "Cancel the recovery",
    cancelling: "Cancelling…",
  },

  codes: {
    title: "Recovery codes",
    lead: "Use a code to connect a new wallet if you lose yours.",
    back: "Back to the dashboard",
    twoCodes: "Two codes, for two places",
    ageing: "This site is changing its secret, so your codes will stop working. Create new codes.",
    working: (count: number) => (count === 1 ? "1 code works" : `${count} codes work`),
    madeAt: (when: ReactNode) => <>created {when}</>,
    unconfirmed: "You created codes but never activated them. Create new codes.",
    none: "You have no recovery codes. If you lose your wallet and have no second one, you lose your account.",
    make: "Create recovery codes",
    makeTwo: "Create two codes",
    makeNew: "Create new codes",
    makeNewQuestion: "Your current codes will stop working immediately.",
    makeNewConfirm: "Yes, create new codes",
    making: "Creating…",
    failed: "That did not work. Try again.",
    tryTitle: "Try a code",
    tryText: "Check that you can read your code and that it works. Trying a code does not use it up.",
    tryIt: "Try it",
    trying: "Trying…",
    works: "This code works and was not used up. Put it back where it was.",
    continue: "Continue",
    checking: "Checking…",
    label: "Recovery code",
    hint: "Upper or lower case, with or without hyphens.",
    mistyped:
      "This code contains a typing error. A code has 25 characters and never contains the letter U. Compare it with your copy. This didn’t count as an attempt.",
    tooMany: (minutes: number) =>
      `Too many attempts. For security, you can try a code only five times an hour. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    keep: "Keep these two codes",
    keepText:
      "They are shown only once. Keep them in two places, away from your wallet. Each one restores access to your account, and anyone who has one can take over the account.",
    yours: "Your recovery codes",
    code: (number: number) => `Code ${number}`,
    print: "Print",
    download: "Download",
    copy: "Copy",
    toActivate: "Enter both codes to activate them.",
    saved: "I’ve saved them",
    enterBoth: "Enter both codes",
    enterBothText:
      "Type them from your copy to make sure that you can read it. Upper and lower case, spaces and hyphens do not matter.",
    differs: "This is not the right code. Compare it with your copy, character by character.",
    activate: "Activate them",
    activating: "Activating…",
    showAgain: "Show them again",
    active: "Your two codes are now active.",
    cut: "Cut here, and keep the two slips in two places",
    slip: (number: number) => `Recovery code ${number} of 2`,
    madeFor: (userId: number | string, date: string) => `User ${userId}, created on ${date}`,
    slipText:
      "This code restores access to your account if you lose your wallet. Anyone who has it can take over your account, so keep it like a house key. It works once. The code on the other slip works independently.",
    slipSteps: (address: ReactNode): ReactNode[] => [
      <>Go to {address}. Enter the code only there.</>,
      "Scan the QR code with your new wallet, and confirm that it is yours.",
      "Create new codes when the site asks you to, and throw these slips away.",
    ],
    file: ({
      domain,
      userId,
      date,
      codes,
      address,
    }: RecoveryCodesFile) => `Recovery codes for ${domain}, user ${userId}, created on ${date}

Code 1: ${codes[0]}
Code 2: ${codes[1]}

Each code restores access to your account if you lose your wallet, and works once. Anyone who has one can take over the account, so keep them in two places. Enter a code only at ${address}.
`,
  },

  account: {
    signInMethods: "Sign-in methods",
    signInMethodsText: "Wallets and addresses that can sign in to this account.",
    current: "Signed in here",
    gone: "No longer works",
    beforeRecovery: "Before recovery",
    added: (when: ReactNode) => <>Added {when}</>,
    lastUsed: (when: ReactNode) => <>Last used {when}</>,
    /** On phones, this button replaces the actions for a sign-in method. */
    actions: (name: string) => `Actions for ${name}`,
    rename: "Rename",
    name: "Name",
    save: "Save",
    remove: "Remove",
    removeQuestion: "You will no longer be able to sign in with it.",
    removing: "Removing…",
    showFingerprint: "Show the key’s fingerprint",
    copy: "Copy",
    browsers: "Where you are signed in",
    browsersText: (others: number): string =>
      others === 0 ? "No other browser is signed in." : "Don’t recognise one? Sign it out.",
    thisBrowser: "This browser",
    signedInWith: (method: string, when: ReactNode) => (
      <>
        Signed in with {method}
        {"\u00a0"}· {when}
      </>
    ),
    lastSeen: (when: ReactNode) => <>Last seen {when}</>,
    signOutThere: "Sign out there",
  },

  /** For users who signed in to the site without a wallet. */
  addWallet: {
    title: "Sign in with a wallet",
    text: "Add a wallet to sign in without a password.",
    loading: "One moment…",
    add: "Add a wallet",
    isYours: "Is this your wallet?",
    answered: "This wallet answered the code. Once you add it, anyone who has it can sign in as you.",
    compare:
      "Your wallet should show the same words and digits. If anything is different, choose “Not mine”.",
    confirm: "Add this wallet",
    adding: "Adding…",
    added: "Your wallet has been added. You can now sign in with it.",
    linked: "You can sign in with this wallet.",
    remove: "Remove this wallet",
    removeQuestion: "You will no longer be able to sign in with this wallet. You can then add a new one.",
    removed: "Your wallet has been removed",
    signInToRemove: "To remove this wallet, sign in again with another sign-in method.",
    signedOut: statusText("You are not signed in", "Sign in to add a wallet."),
    signInAgain: statusText(
      "Sign in again to add a wallet",
      "You signed in more than ten minutes ago. Confirm that it’s still you.",
    ),
  },

  lostWallet: {
    title: "If you lose your wallet",
    summary: (signInMethods: number, codes: number) =>
      `${signInMethods === 1 ? "1 sign-in method" : `${signInMethods} sign-in methods`}, ${codes === 0 ? "no codes" : codes === 1 ? "1 code" : `${codes} codes`}.`,
    before:
      "This account was recovered. Your old sign-in methods still work. If your old wallet was stolen, or someone could find it, remove these sign-in methods.",
    removeBefore: "Remove the old sign-in methods",
    noWayBack: "If you lose that wallet, you lose your account, unless you have recovery codes.",
    used: "The code that you used no longer works. Create new codes.",
    make: "Create recovery codes",
    codes: "Recovery codes",
  },
};

export type Texts = typeof en;

export type RecoveryCodesFile = {
  codes: readonly [string, string];
  domain: string;
  userId: number | string;
  date: string;
  address: string;
};
