/** The two applications that `npm run template` writes, and what each is made of. */
export type Template = {
  /** The folders, below this one, with the application's own files. A later one's files replace those before. */
  own: { folder: string; files: readonly string[] | "all" }[];
  /** Looks and words that belong to the site from now on. */
  copied: readonly string[];
};

const PANEL = [
  "app/globals.css",
  "components/account/sign-out-button.tsx",
  "components/login/code-actions.tsx",
  "components/login/countdown.tsx",
  "components/login/login-panel.tsx",
  "components/login/login-screen.tsx",
  "components/login/login-steps.tsx",
  "components/login/login.tsx",
  "components/login/panel-words.ts",
  "components/login/phase-picture.tsx",
  "components/login/qr-frame.tsx",
  "components/login/step-list.tsx",
  "components/site/container.tsx",
  "components/ui/button.tsx",
  "components/ui/class-names.ts",
  "components/ui/copy-button.tsx",
  "components/ui/text-link.tsx",
];

/** A site with the login at its own endpoints. */
export const SITE: Template = {
  own: [{ folder: "site", files: "all" }],
  copied: [...PANEL, "components/login/site-login.tsx"],
};

/** A customer of the hosted API. Of the site's files it takes those that do not depend on the kind of login. */
export const HOSTED: Template = {
  own: [
    {
      folder: "site",
      files: [
        "app/api/auth/[...nextauth]/route.ts",
        "app/api/svc/[...path]/route.ts",
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
  copied: [...PANEL, "components/login/hosted-login.tsx"],
};
