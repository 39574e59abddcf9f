/** The two applications that `npm run template` writes, and what each is made of. */
export type Template = {
  /** The template's name in its package.json. */
  name: string;
  /** Folders below this one with the application's own files. A later folder's files replace an earlier one's. */
  own: { folder: string; files: readonly string[] | "all" }[];
  /** Looks and words that belong to the site from now on. */
  copied: readonly CopiedFile[];
};

/** A file of the site, and our modules that it is made of; without `sources`, the module at the same path. */
export type CopiedFile = { path: string; sources?: readonly string[] };

const inFolder = (folder: string, names: readonly string[]) => names.map((name) => `${folder}/${name}`);

/** What every panel and page is made of, in one file, since a site has few files. */
const UI: CopiedFile = {
  path: "components/ui.tsx",
  sources: [
    ...inFolder("packages/react/ui", [
      "icons.tsx",
      "button-look.tsx",
      "elements.tsx",
      "button.tsx",
      "copy-button.tsx",
      "dialog.tsx",
    ]),
    ...inFolder("packages/react/ui", ["text-field.tsx", "time.tsx"]),
    "packages/react/login/confirm-key.tsx",
    "packages/react/account/sign-out-button.tsx",
  ],
};

/** Components of `packages/react`, which a site has below `components`. */
const copied = (folder: string, names: readonly string[]): CopiedFile[] =>
  inFolder(folder, names).map((path) => ({
    path: `components/${path}`,
    sources: [`packages/react/${path}`],
  }));

const PANEL: CopiedFile[] = [
  UI,
  // The site owns its texts: one file for each language, which also has the texts of the site's pages.
  {
    path: "components/words/en.tsx",
    sources: ["packages/react/words/en.tsx", "scripts/template/words/en.tsx"],
  },
  { path: "app/looks.css" },
  ...copied("login", ["login-panel.tsx", "login-screen.tsx", "qr-code.tsx"]),
];

const RECOVERY: CopiedFile[] = [
  ...copied("approval", ["approval-dialog.tsx", "approval-provider.tsx"]),
  ...copied("recovery", ["enter-code.tsx", "pending-recovery.tsx", "recovery-screen.tsx"]),
  {
    path: "components/recovery/recovery-codes.tsx",
    sources: inFolder("packages/react/recovery", ["new-codes.tsx", "recovery-codes.tsx"]),
  },
];

/** A site with the login at its own endpoints. */
export const SITE: Template = {
  name: "login-site",
  own: [{ folder: "site", files: "all" }],
  copied: [...PANEL, ...copied("login", ["site-login.tsx"]), ...RECOVERY],
};

/** A customer of the hosted API. It takes the site's files that do not depend on the kind of login. */
export const HOSTED: Template = {
  name: "hosted-login-site",
  own: [
    {
      folder: "site",
      files: [
        "app/api/auth/[...nextauth]/route.ts",
        "app/api/[...path]/route.ts",
        "app/globals.css",
        "app/icon.svg",
        ...inFolder("components/words", ["de.tsx", "languages.ts", "words.tsx"]),
        "gitignore",
        "instrumentation.ts",
        "next.config.ts",
        "package.json",
        "playwright.config.ts",
        "postcss.config.mjs",
        "tsconfig.json",
      ],
    },
    { folder: "hosted", files: "all" },
  ],
  copied: [...PANEL, ...copied("login", ["hosted-login.tsx"])],
};
