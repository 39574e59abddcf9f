import type { ReactNode } from "react";
import { statusText, type Texts } from "./en.tsx";

/** By error code, because the server's error messages are in English. */
const REFUSALS: Record<string, string> = {
  "": "Die Seite ist nicht erreichbar. Versuche es noch einmal.",
  already_linked: "Du hast hier schon ein Wallet.",
  approval_required: "Dafür braucht es eine Bestätigung mit deinem Wallet.",
  credential_taken:
    "Dieses Wallet hat hier schon ein Konto. Nimm ein anderes, oder melde dich mit diesem an.",
  forbidden: "Das ist hier nicht erlaubt.",
  invalid_recovery_code: "Dieser Code gilt hier nicht. Vergleiche ihn mit deinem Zettel.",
  not_signed_in: "Du bist nicht mehr angemeldet.",
  rate_limited: "Zu viele Versuche. Warte einen Moment.",
  service_unavailable: "Gerade geht es nicht. Versuche es gleich noch einmal.",
};

export const de: Texts = {
  language: "de",

  controls: {
    cancel: "Abbrechen",
    copied: "Kopiert",
    notCopied: "Kopieren ging nicht",
    notMine: "Nicht meins",
    confirm: "Bestätigen",
    signOut: "Abmelden",
    signingOut: "Wird abgemeldet…",
    stillSignedIn: "Du bist noch angemeldet. Versuche es noch einmal.",
    seconds: (seconds: number) => `${seconds} s`,
    justNow: "gerade eben",
    browser: (name: string) =>
      name
        .replace("A browser", "Ein Browser")
        .replace("Unknown browser", "Unbekannter Browser")
        .replace(" on ", " auf "),
  },

  refusal: (code: string) => REFUSALS[code] ?? "Das hat nicht geklappt. Versuche es noch einmal.",
  signInAgain: "Wieder anmelden",
  unreachable: "Die Seite ist nicht erreichbar. Versuche es noch einmal.",

  panel: {
    intents: {
      login: "Anmelden bei",
      register: "Konto anlegen bei",
      add: "Ein weiterer Zugang zu",
      approve: "Eine Änderung bestätigen bei",
      recover: "Konto wiederherstellen bei",
    },
    pictureOf: (intent: string, domain: string) => `QR-Code: ${intent} ${domain}`,
    openInWallet: "Im Wallet öffnen",
    copyLink: "Link kopieren",
    noWallet: "Es ging kein Wallet auf: Auf diesem Gerät scheint keines zu sein.",
    noWalletWays: (hasDemoWallet: boolean) =>
      hasDemoWallet
        ? "Lege eines in diesem Browser an, oder kopiere den Link in ein anderes Wallet."
        : "Kopiere den Link in ein Wallet, oder scanne den Code mit einem.",
    demoWallet: "Ein Wallet in diesem Browser anlegen",
    demoWalletAgain: "Das Wallet in diesem Browser öffnen",
    demoWalletBefore: "Mit dem Demo-Wallet versuchen",
    getWallet: "Noch kein Wallet? Hier gibt es eines",
    showCode: "Code für ein anderes Gerät zeigen",
    hideCode: "Code verbergen",
    inNewTab: "(öffnet einen neuen Tab)",
    newCodeIn: "Neuer Code in",
    nextTryIn: "Nächster Versuch in",
    createHere: "Ein Konto mit diesem Wallet anlegen",
    anotherWallet: "Ein anderes Wallet nehmen",
    newCode: "Einen neuen Code zeigen",
    tryNow: "Jetzt versuchen",
    tryAgain: "Noch einmal versuchen",
    startAgain: "Von vorn beginnen",
    openThere: "Dort öffnen",
  },

  status: {
    loading: statusText("Ein Code wird geholt…"),
    waiting: statusText("Warten auf dein Wallet"),
    received: "Dein Wallet hat geantwortet",
    next: {
      login: "Du wirst angemeldet…",
      register: "Du wirst angemeldet…",
      add: "Noch eine Frage…",
      approve: "Bestätigt. Es geht weiter…",
      recover: "Noch eine Frage…",
    },
    signedIn: statusText("Du bist angemeldet", "Einen Moment…"),
    unregistered: statusText(
      "Dieses Wallet hat hier noch kein Konto",
      "Mit diesem Wallet hat sich hier noch niemand registriert.",
    ),
    paused: statusText("Noch da?", "Du warst fünf Minuten weg, und der Code ist abgelaufen."),
    offline: (domain: string) =>
      statusText("Keine Verbindung", `${domain} ist nicht erreichbar. Wir versuchen es weiter.`),
    limited: statusText(
      "Zu viele Versuche",
      "Aus deinem Netz wurden zu viele Codes geholt. Gleich versuchen wir es wieder.",
    ),
    unavailable: (domain: string) =>
      statusText("Wir haben keinen Code bekommen", `${domain} hat eine Störung. Wir versuchen es weiter.`),
    notSignedIn: statusText(
      "Wir konnten dich nicht anmelden",
      "Die Antwort deines Wallets wurde angenommen, aber nicht für diesen Browser. Bitte beginne von vorn.",
    ),
    notRegistered: statusText(
      "Wir konnten dein Konto nicht anlegen",
      "Die Antwort deines Wallets wurde angenommen, aber nicht für diesen Browser. Bitte beginne von vorn.",
    ),
    noCookies: (domain: string) =>
      statusText(
        "Dein Browser blockiert Cookies",
        `${domain} merkt sich deine Anmeldung in einem Cookie. Erlaube ${domain} Cookies in den Einstellungen deines Browsers und beginne von vorn.`,
      ),
    elsewhere: (origin: string) =>
      statusText(
        "Unter dieser URL kannst du dich nicht anmelden",
        `Die Website selbst ist ${origin}: Öffne die Seite dort.`,
      ),
    ended: statusText(
      "Du bist nicht mehr angemeldet",
      "Dieser Browser wurde abgemeldet, oder die Anmeldung ist abgelaufen.",
    ),
    recoveryEnded: statusText(
      "Diese Wiederherstellung ist nicht mehr offen",
      "Ihre Zeit ist vorbei, oder sie wurde anderswo abgebrochen oder bestätigt.",
    ),
    refused: {
      challenge_expired: statusText(
        "Dieser Code war abgelaufen",
        "Dein Wallet hat zu spät geantwortet. Scanne den Code, der jetzt auf dem Bildschirm ist.",
      ),
      invalid_signature: statusText(
        "Diese Antwort war nicht gültig",
        "Ein Wallet hat geantwortet, aber seine Unterschrift passte nicht. Scanne den Code noch einmal.",
      ),
      intent_mismatch: statusText(
        "Dieser Code wurde unterwegs verändert",
        "Ein Wallet bekam eine andere Frage gezeigt als diese Seite stellt, und seine Antwort bewirkte nichts. Scanne den Code auf diesem Bildschirm, und keine Kopie davon.",
      ),
      foreign_key: statusText(
        "Das war nicht dein Schlüssel",
        "Ein Wallet hat mit einem Schlüssel geantwortet, den dein Konto nicht kennt. Bestätige mit einem, der dich anmeldet.",
      ),
    },
    knownKey: statusText(
      "Dieses Wallet hat hier schon ein Konto",
      "Melde dich damit an. Um ein anderes Konto wiederherzustellen, nimm ein Wallet oder eine Kontonummer, die hier neu sind.",
    ),
    takenWallet: statusText(
      "Dieses Wallet hat hier schon ein Konto",
      "Scanne den Code mit einem anderen Wallet, oder melde dich mit diesem an.",
    ),
  },

  screen: {
    needsScript: "Schalte JavaScript ein, um den Code zu sehen",
    whyScript:
      "Alle 30 Sekunden gibt es einen neuen Code, und diese Seite bemerkt die Antwort deines Wallets. Beides braucht JavaScript. Schalte es in den Einstellungen deines Browsers ein und lade diese Seite neu.",
    scan: "Öffne dein Wallet und scanne den Code. Auf diesem Gerät wähle „Im Wallet öffnen“.",
    compare: (domain: ReactNode) => (
      <>Sieh nach, ob dein Wallet {domain} nennt, und bestätige. Nennt es etwas anderes, lehne ab.</>
    ),
    afterwards: {
      login: "Du wirst von selbst angemeldet.",
      register: "Dein Wallet legt das Konto an, und du bist angemeldet.",
    },
  },

  approval: {
    title: "Bestätige diese Änderung",
    text: "Deine Anmeldung ist mehr als zehn Minuten her. Zeige, dass du es bist: Bestätige mit einem deiner Wallets.",
    cancelled: "Abgebrochen. Nichts wurde geändert.",
    withKey: "Stattdessen mit dem Schlüssel eines Wallets bestätigen",
    withAddress: "Stattdessen mit einer Bitcoin-Adresse bestätigen",
  },

  recovery: {
    title: "Konto wiederherstellen",
    lead: "Für den Fall, dass du dein Wallet verloren, aber noch einen deiner Codes hast.",
    needsScript: "Schalte JavaScript ein, um weiterzumachen",
    whyScript:
      "Dein Code wird hier auf Tippfehler geprüft, bevor er gesendet wird. Schalte JavaScript in den Einstellungen deines Browsers ein und lade diese Seite neu.",
    enter: "Einen Code eingeben",
    steps: [
      "Gib einen deiner Codes ein. Verbraucht ist er erst, wenn dein neues Wallet bestätigt ist.",
      "Scanne den QR-Code mit deinem neuen Wallet. Prüfe, ob diese Seite und dein Wallet dasselbe zeigen.",
      "Bestätige. Dein neues Wallet ist angemeldet, und jeder andere Browser abgemeldet.",
    ],
    haveWallet: (signIn: (text: string) => ReactNode) => (
      <>Du hast noch ein Wallet? {signIn("Melde dich an")}.</>
    ),
    noWayBack: "Ohne Code und ohne Wallet kann niemand dein Konto öffnen, auch wir nicht.",
    cancelled:
      "Die Wiederherstellung wurde in einem Browser abgebrochen, der beim Konto angemeldet ist, durch neue Codes oder im Wallet, das geantwortet hat. Warst du das nicht, melde dich mit einem Wallet an, das du noch hast, oder nimm deinen anderen Code.",
    expired:
      "Die fünfzehn Minuten, um ein neues Wallet zu wählen, sind vorbei. Dein Code ist nicht verbraucht: Gib ihn noch einmal ein.",
    choose: { wallet: "Wähle dein neues Wallet", address: "Wähle deine neue Adresse" },
    chooseLead: (userId: number | string) =>
      `Du stellst das Konto von Nutzer ${userId} wieder her. Dein Code stimmt und ist noch nicht verbraucht.`,
    account: (since: ReactNode, until: ReactNode) => (
      <>
        Das Konto gibt es seit {since}. Du hast Zeit bis {until}. Ist es nicht dein Konto, schließe diese
        Seite.
      </>
    ),
    scanNew: {
      wallet:
        "Scanne den QR-Code mit dem Wallet, das dein Konto öffnen wird. Es muss ein Wallet sein, das du hier noch nicht benutzt hast.",
      address:
        "Scanne den QR-Code und unterschreibe mit der Adresse, die dein Konto öffnen wird. Es muss eine Adresse sein, die du hier noch nicht benutzt hast.",
    },
    comeBack:
      "Komm auf diese Seite zurück: Sie zeigt, was geantwortet hat. Vergleiche es mit dem, was dein Wallet zeigt.",
    confirm: "Bestätige, und das Konto ist wieder deins. Andere, die den QR-Code sahen, bekommen nichts.",
    isYours: { wallet: "Ist das dein neues Wallet?", address: "Ist das deine neue Adresse?" },
    answered: (userId: number | string, waits: boolean) =>
      `Es hat auf den Code geantwortet. Bestätigst du es, öffnet es das Konto von Nutzer ${userId}${
        waits
          ? ", nach einer Frist, in der angemeldete Browser es abbrechen können."
          : ", und jeder andere Browser wird abgemeldet."
      }`,
    showsTheSame: {
      wallet:
        "Dein Wallet sollte dieselben Wörter und Ziffern zeigen. Unterscheidet sich etwas, wähle „Nicht meins“.",
      address: "Dein Wallet sollte dieselbe Adresse zeigen. Unterscheidet sich etwas, wähle „Nicht meins“.",
    },
    usedUp: (waits: boolean) =>
      waits
        ? "Dein Code ist verbraucht, sobald die Wiederherstellung wirksam wird."
        : "Dein Code ist damit verbraucht.",
    itIsMine: "Es ist meins",
    recovering: "Wird wiederhergestellt…",
    nothing: "Es gibt nichts zu bestätigen",
    nothingText:
      "Der QR-Code wurde nicht beantwortet, war verbraucht oder abgelaufen. Dein Wiederherstellungscode ist nicht verbraucht.",
    blocked: "Eine andere Wiederherstellung dieses Kontos wartet",
    blockedText: (when: ReactNode) => (
      <>
        Sie wird wirksam: {when}. Bis dahin lässt sich keine zweite bestätigen. Dein Code ist nicht
        verbraucht.
      </>
    ),
    blockedWhy:
      "Ist es nicht deine, brich sie in einem Browser ab, der beim Konto angemeldet ist, oder melde dich mit einem Wallet an, das du noch hast, und brich sie dort ab. Sieh dann noch einmal nach. Ist es deine, warte und melde dich mit dem Wallet an, das du bestätigt hast.",
    lookAgain: "Noch einmal nachsehen",
    waits: "Deine Wiederherstellung wartet",
    waitsText: (when: ReactNode, userId: number | string) => (
      <>
        Sie wird wirksam: {when}. Dann meldest du dich beim Konto von Nutzer {userId} mit deinem neuen Wallet
        an:
      </>
    ),
    waitsWhy:
      "Bis dahin zeigt jeder Browser, der beim Konto angemeldet ist, die Wiederherstellung und kann sie abbrechen: Wer einen Code findet, kann dein Konto nicht unbemerkt übernehmen. Du kannst diese Seite schließen und in diesem Browser zurückkommen. Bewahre dein neues Wallet auf.",
    finished: "Dein Konto ist wiederhergestellt",
    finishedText:
      "Melde dich mit deinem neuen Wallet an. Mach dann neue Codes: Der, den du benutzt hast, gilt nicht mehr.",
    signIn: "Anmelden",
    pending: "Dein Konto wird mit einem deiner Codes wiederhergestellt",
    pendingText: (started: ReactNode, browser: string, when: ReactNode, credential: ReactNode) => (
      <>
        Die Wiederherstellung wurde {started} begonnen, in {browser}. Sie wird wirksam: {when}. Dann kannst du
        dich mit {credential} anmelden, und jeder andere Browser wird abgemeldet.
      </>
    ),
    pendingWarning:
      "Hast du sie nicht begonnen, brich die Wiederherstellung ab und mach neue Codes: Jemand anders hat einen deiner Codes.",
    cancel: "Die Wiederherstellung abbrechen",
    cancelling: "Wird abgebrochen…",
  },

  codes: {
    title: "Wiederherstellungscodes",
    lead: "Mit einem davon verbindest du ein neues Wallet, wenn du deines verlierst.",
    back: "Zurück zur Übersicht",
    twoCodes: "Zwei Codes, für zwei Orte",
    ageing: "Diese Seite wechselt ihr Geheimnis. Die Codes, die du hast, werden ungültig: Mach neue.",
    working: (count: number) => (count === 1 ? "1 Code gilt" : `${count} Codes gelten`),
    madeAt: (when: ReactNode) => <>gemacht {when}</>,
    unconfirmed: "Du hast Codes gemacht, aber nie aktiviert. Mach neue.",
    none: "Du hast keine. Verlierst du dein Wallet, gibt es ohne ein zweites keinen Weg zurück in dein Konto.",
    make: "Wiederherstellungscodes machen",
    makeTwo: "Zwei Codes machen",
    makeNew: "Neue Codes machen",
    makeNewQuestion: "Die Codes, die du jetzt hast, gelten sofort nicht mehr.",
    makeNewConfirm: "Ja, neue machen",
    making: "Werden gemacht…",
    failed: "Das hat nicht geklappt. Versuche es noch einmal.",
    tryTitle: "Einen Code probieren",
    tryText:
      "Sieh nach, ob lesbar ist und gilt, was du aufbewahrt hast. Ein Code wird dadurch nicht verbraucht.",
    tryIt: "Probieren",
    trying: "Wird probiert…",
    works: "Dieser Code gilt. Er wurde nicht verbraucht: Leg ihn zurück, wo er war.",
    continue: "Weiter",
    checking: "Wird geprüft…",
    label: "Wiederherstellungscode",
    hint: "Groß oder klein, mit oder ohne Bindestriche.",
    mistyped:
      "Da ist ein Tippfehler: Ein Code hat 25 Zeichen und kein U. Vergleiche ihn mit deinem Zettel. Es wurde kein Versuch verbraucht.",
    tooMany: (minutes: number) =>
      `Zu viele Versuche. Zur Sicherheit kann ein Code fünfmal in der Stunde versucht werden. Versuche es in ${minutes} ${minutes === 1 ? "Minute" : "Minuten"} wieder.`,
    keep: "Bewahre diese zwei Codes auf",
    keepText:
      "Sie sind nur dieses eine Mal zu sehen. Bewahre sie an zwei Orten auf, fern von deinem Wallet: Jeder bringt dein Konto zurück, und wer einen hat, kann es übernehmen.",
    yours: "Deine Wiederherstellungscodes",
    code: (number: number) => `Code ${number}`,
    print: "Drucken",
    download: "Herunterladen",
    copy: "Kopieren",
    toActivate: "Gib beide Codes ein, um sie zu aktivieren.",
    saved: "Ich habe sie aufbewahrt",
    enterBoth: "Gib beide Codes ein",
    enterBothText:
      "Tippe sie von dem ab, was du aufbewahrt hast: So weißt du, dass es lesbar ist. Groß und klein, Leerzeichen und Bindestriche sind gleich.",
    differs:
      "Das ist nicht der richtige Code. Vergleiche ihn Zeichen für Zeichen mit dem, was du aufbewahrt hast.",
    activate: "Aktivieren",
    activating: "Werden aktiviert…",
    showAgain: "Noch einmal zeigen",
    active: "Deine zwei Codes sind jetzt aktiv.",
    cut: "Hier schneiden, und die zwei Zettel an zwei Orten aufbewahren",
    slip: (number: number) => `Wiederherstellungscode ${number} von 2`,
    madeFor: (userId: number | string, date: string) => `Nutzer ${userId}, gemacht am ${date}`,
    slipText:
      "Dieser Code bringt dein Konto zurück, wenn du dein Wallet verloren hast. Wer ihn hat, kann dein Konto übernehmen: Bewahre ihn auf wie einen Hausschlüssel. Er gilt einmal, und der andere Zettel gilt auch ohne ihn.",
    slipSteps: (address: ReactNode): ReactNode[] => [
      <>Geh auf {address}. Gib den Code dort ein und nirgends sonst.</>,
      "Scanne den QR-Code mit deinem neuen Wallet, und bestätige, dass es deins ist.",
      "Mach neue Codes, wenn du darum gebeten wirst, und wirf diese weg.",
    ],
    file: ({
      domain,
      userId,
      date,
      codes,
      address,
    }) => `Wiederherstellungscodes für ${domain}, Nutzer ${userId}, gemacht am ${date}

Code 1: ${codes[0]}
Code 2: ${codes[1]}

Jeder bringt dein Konto zurück, wenn du dein Wallet verloren hast, und gilt einmal. Wer einen hat, kann das Konto
übernehmen: Bewahre sie an zwei Orten auf. Gib einen Code nur hier ein: ${address}
`,
  },

  account: {
    signInMethods: "Zugänge",
    signInMethodsText: "Wallets und Adressen, die dieses Konto öffnen.",
    current: "Hier angemeldet",
    gone: "Funktioniert nicht mehr",
    beforeRecovery: "Vor der Wiederherstellung",
    added: (when: ReactNode) => <>Hinzugefügt {when}</>,
    lastUsed: (when: ReactNode) => <>Zuletzt benutzt {when}</>,
    actions: (name: string) => `Aktionen für ${name}`,
    rename: "Umbenennen",
    name: "Name",
    save: "Speichern",
    remove: "Entfernen",
    removeQuestion: "Damit kannst du dich dann nicht mehr anmelden.",
    removing: "Wird entfernt…",
    showFingerprint: "Fingerabdruck des Schlüssels anzeigen",
    copy: "Kopieren",
    browsers: "Wo du angemeldet bist",
    browsersText: (others: number) =>
      others === 0 ? "Kein anderer Browser ist angemeldet." : "Einen davon kennst du nicht? Melde ihn ab.",
    thisBrowser: "Dieser Browser",
    signedInWith: (method: string, when: ReactNode) => (
      <>
        Angemeldet mit {method}
        {"\u00a0"}· {when}
      </>
    ),
    lastSeen: (when: ReactNode) => <>Zuletzt gesehen {when}</>,
    signOutThere: "Dort abmelden",
  },

  addWallet: {
    title: "Mit einem Wallet anmelden",
    text: "Füge ein Wallet hinzu, um dich ohne Passwort anzumelden.",
    loading: "Einen Moment…",
    add: "Ein Wallet hinzufügen",
    isYours: "Ist das dein Wallet?",
    answered:
      "Dieses Wallet hat auf den Code geantwortet. Wenn du es hinzufügst, kann sich jeder, der es hat, als du anmelden.",
    compare: "Dein Wallet sollte dieselben Wörter und Ziffern zeigen. Ist etwas anders, wähle „Nicht meins“.",
    confirm: "Dieses Wallet hinzufügen",
    adding: "Wird hinzugefügt…",
    added: "Dein Wallet ist hinzugefügt. Du kannst dich jetzt damit anmelden.",
    linked: "Du kannst dich mit diesem Wallet anmelden.",
    remove: "Dieses Wallet entfernen",
    removeQuestion:
      "Mit diesem Wallet kannst du dich dann nicht mehr anmelden. Danach kannst du ein neues hinzufügen.",
    removed: "Dein Wallet ist entfernt",
    signInToRemove: "Um dieses Wallet zu entfernen, melde dich noch einmal auf andere Weise an.",
    signedOut: statusText("Du bist nicht angemeldet", "Melde dich an, um ein Wallet hinzuzufügen."),
    signInAgain: statusText(
      "Melde dich noch einmal an, um ein Wallet hinzuzufügen",
      "Deine Anmeldung ist mehr als zehn Minuten her. Zeige, dass du es noch bist.",
    ),
  },

  lostWallet: {
    title: "Wenn du dein Wallet verlierst",
    summary: (signInMethods: number, codes: number) =>
      `${signInMethods === 1 ? "1 Zugang" : `${signInMethods} Zugänge`}, ${codes === 0 ? "keine Codes" : codes === 1 ? "1 Code" : `${codes} Codes`}.`,
    before:
      "Dieses Konto wurde wiederhergestellt. Was es vorher öffnete, öffnet es noch: Wurde das Wallet gestohlen, oder könnte es jemand finden, entferne es.",
    removeBefore: "Entfernen, was vorher da war",
    noWayBack: "Ohne dieses Wallet gibt es keinen Weg zurück in dein Konto, bis du Codes machst.",
    used: "Der Code, den du benutzt hast, gilt nicht mehr: Mach neue.",
    make: "Codes machen",
    codes: "Wiederherstellungscodes",
  },
};
