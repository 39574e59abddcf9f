import type { LaunchOptions } from "playwright/test";

/**
 * Chromium prepares things for its user that tests do not need: two pages for the address bar's suggestions, whose
 * processes take two fifths of the time of a test's first page, and a process for the next page in the same window,
 * although a test's next page has its own window.
 */
const UNUSED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"],
  "SpareRendererForSitePerProcess",
];

/**
 * The features that Playwright turns off. Chromium reads this option only once, so ours replaces Playwright's and must
 * repeat them.
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
    // Chromium cannot create its sandbox as root. The tests visit only this application.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ],
} satisfies LaunchOptions;
