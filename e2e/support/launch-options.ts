import type { LaunchOptions } from "playwright/test";

/**
 * What a Chromium window prepares for its user: two pages for the address bar's suggestions, in separate processes,
 * which take two fifths of the time of a test's first page, and a process for the window's next page, although a test's
 * next page has its own window and processes.
 */
const UNUSED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"],
  "SpareRendererForSitePerProcess",
];

/**
 * The features that Playwright switches off. Chromium reads that option only once, so ours replaces Playwright's and
 * must repeat them.
 */
const PLAYWRIGHTS_FEATURES = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "AvoidCorsURLLoaderRestartOnRedirect", "PaintHolding"],
  ...["HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "ThirdPartyStoragePartitioning"],
  ...["DestroyProfileOnBrowserClose", "LensOverlay", "MediaRouter", "AimEnabled"],
  ...["OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"],
];

/** How the tests start Chromium. */
export const LAUNCH_OPTIONS = {
  executablePath: process.env.BROWSER_PATH,
  args: [
    `--disable-features=${[...PLAYWRIGHTS_FEATURES, ...UNUSED_FEATURES].join(",")}`,
    // As root, Chromium cannot create its sandbox. The tests visit only this application.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ],
} satisfies LaunchOptions;
