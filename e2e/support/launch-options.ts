import type { LaunchOptions } from "playwright/test";

/**
 * The features that tests do not need. Chromium opens two pages for the address bar's suggestions, whose processes take
 * two fifths of the time of a test's first page. It also starts a process for the next page in the same window,
 * although each page of a test has its own window.
 */
const UNUSED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"],
  "SpareRendererForSitePerProcess",
];

/**
 * The features that Playwright turns off. Chromium uses only one such option, so ours replaces Playwright's and must
 * repeat its features.
 */
const PLAYWRIGHTS_FEATURES = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "AvoidCorsURLLoaderRestartOnRedirect", "PaintHolding"],
  ...["HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "ThirdPartyStoragePartitioning"],
  ...["DestroyProfileOnBrowserClose", "LensOverlay", "MediaRouter", "AimEnabled"],
  ...["OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"],
];

export const LAUNCH_OPTIONS = {
  executablePath: process.env.BROWSER_PATH,
  args: [
    `--disable-features=${[...PLAYWRIGHTS_FEATURES, ...UNUSED_FEATURES].join(",")}`,
    // Chromium cannot create its sandbox as root. The tests visit only this application.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ],
} satisfies LaunchOptions;
