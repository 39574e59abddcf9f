import type { Texts } from "./en.tsx";

export const de: Texts = {
  site: {
    name: "Deine Seite",
    foot: "Deine Seite kennt keine Passwörter, nur öffentliche Schlüssel.",
    menu: "Hauptmenü",
    user: (userId: number | string) => `Nutzer ${userId}`,
    signIn: "Anmelden",
    getStarted: "Loslegen",
  },

  home: {
    title: "Der Anfang von etwas Gutem",
    lead: "Sag in einem Satz, was man hier tut. Angemeldet wird mit einem Wallet: kein Passwort, keine E-Mail.",
    create: "Konto anlegen",
    signIn: "Anmelden",
    reasons: [
      {
        title: "Scannen statt tippen",
        text: "Kein Formular: ein Code, ein Blick aufs Telefon, und du bist da.",
      },
      { title: "Nichts zu merken", text: "Dein Wallet bestätigt mit Finger oder Gesicht." },
      {
        title: "Nichts zu stehlen",
        text: "Wir haben einen öffentlichen Schlüssel. Der private verlässt dein Gerät nie.",
      },
    ],
  },

  login: {
    tab: "Anmelden",
    title: "Mit deinem Wallet anmelden",
    lead: "Kein Passwort: Dein Wallet beweist, dass du es bist.",
    other: (create, recover) => (
      <>
        Noch kein Konto? {create("Leg eines mit deinem Wallet an")}. Wallet verloren?{" "}
        {recover("Stell dein Konto wieder her")}.
      </>
    ),
    trial: "Mit einem Probe-Wallet antworten",
    trialNote: "Nur beim Entwickeln: Sein Schlüssel bleibt, bis du diesen Tab schließt.",
  },

  register: {
    tab: "Konto anlegen",
    title: "Ein Konto mit deinem Wallet anlegen",
    lead: "Dein Wallet macht einen Schlüssel nur für diese Seite. Dieser Schlüssel ist dein Konto.",
    other: (signIn) => <>Du hast ein Konto? {signIn("Melde dich an")}</>,
  },

  wallet: {
    title: "Ein Wallet bekommen",
    lead: "Ein Wallet ist eine App, die deine Schlüssel aufbewahrt. Du meldest dich an, indem du damit einen Code scannst, ganz ohne Passwort.",
    steps: [
      "Installiere ein Wallet. (Nenne hier die, die bei dir funktionieren, mit Links.)",
      "Öffne das Wallet. Es macht deine Schlüssel und zeigt dir, wie du sie sicherst.",
      "Komm zurück und scanne den Code damit.",
    ],
    back: "Zurück zum Code",
  },

  dashboard: {
    title: "Übersicht",
    signedIn: (userId: number | string) => `Du bist als Nutzer ${userId} angemeldet.`,
    notes: "Deine Notizen",
    note: "Notiz",
    keep: "Behalten",
    noteProblems: {
      characters:
        "Diese Notiz hat Zeichen, die man nicht zeigen kann. Entferne sie und versuche es noch einmal.",
      full: "Du hast 100 Notizen. Für eine weitere ist kein Platz.",
      tooMany: "Zu viele Notizen auf einmal. Warte eine Minute und versuche es noch einmal.",
    },
  },

  notFound: {
    title: "Diese Seite gibt es nicht",
    text: "Vielleicht ist die Adresse vertippt, oder die Seite ist umgezogen.",
    home: "Zur Startseite",
  },
};
