/** The two applications that `npm run template` writes, and what each is made of. */
export type Template = {
  /** The folders, below this one, with the application's own files. A later one's files replace those before. */
  own: { folder: string; files: readonly string[] | "all" }[];
  /** Looks and words that belong to the site from now on. */
  copied: readonly CopiedFile[];
};

/** A file of the site, and the modules of ours that it is made of: itself, if there are none. */
export type CopiedFile = { path: string; sources?: readonly string[] };

const inFolder = (folder: string, names: readonly string[]) => names.map((name) => `${folder}/${name}.tsx`);

/** What every panel and page is made of. */
const UI: CopiedFile = {
  path: "components/ui.tsx",
  sources: [
    "components/ui/class-names.ts",
    "components/ui/use-hydrated.ts",
    "components/ui/button-class.ts",
    "components/site/container.tsx",
    ...inFolder("components/ui", [
      "button",
      "button-link",
      "card",
      "confirm-button",
      "confirm-choice",
      "copy-button",
    ]),
    ...inFolder("components/ui", ["local-time", "modal", "notice", "text-field", "text-link"]),
  ],
};

const PANEL: CopiedFile[] = [
  UI,
  { path: "app/globals.css" },
  { path: "components/account/sign-out-button.tsx" },
  { path: "components/login/login-panel.tsx" },
  { path: "components/login/login-screen.tsx" },
  {
    path: "components/login/login-steps.tsx",
    sources: inFolder("components/login", ["step-list", "login-steps"]),
  },
  { path: "components/login/panel-words.ts" },
  {
    path: "components/login/qr-frame.tsx",
    sources: inFolder("components/login", ["countdown", "qr-frame", "phase-picture"]),
  },
];

/** The panel with its source of codes. */
const login = (name: string): CopiedFile => ({
  path: `components/login/${name}.tsx`,
  sources: inFolder("components/login", ["code-actions", "login", name]),
});

const RECOVERY: CopiedFile[] = [
  { path: "components/approval/approval-dialog.tsx" },
  {
    path: "components/approval/approval-provider.tsx",
    sources: ["components/approval/use-approval.ts", "components/approval/approval-provider.tsx"],
  },
  {
    path: "components/recovery/pending-recovery.tsx",
    sources: inFolder("components/recovery", ["change-button", "pending-recovery"]),
  },
  {
    path: "components/recovery/recovery-codes.tsx",
    sources: [
      "components/ui/save-file.ts",
      ...inFolder("components/recovery", ["enter-code", "recovery-sheet", "new-codes", "recovery-codes"]),
    ],
  },
  {
    path: "components/recovery/recovery-screen.tsx",
    sources: inFolder("components/recovery", ["recovery-login", "confirm-recovery", "recovery-screen"]),
  },
];

/** A site with the login at its own endpoints. */
export const SITE: Template = {
  own: [{ folder: "site", files: "all" }],
  copied: [...PANEL, ...RECOVERY, login("site-login")],
};

/** A customer of the hosted API. Of the site's files it takes those that do not depend on the kind of login. */
export const HOSTED: Template = {
  own: [
    {
      folder: "site",
      files: [
        "app/api/auth/[...nextauth]/route.ts",
        "app/api/[...path]/route.ts",
        "app/layout.tsx",
        "gitignore",
        "instrumentation.ts",
        "next.config.ts",
        "playwright.config.ts",
        "postcss.config.mjs",
        "tsconfig.json",
      ],
    },
    { folder: "hosted", files: "all" },
  ],
  copied: [...PANEL, login("hosted-login")],
};
