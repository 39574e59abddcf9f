import type { LaunchOptions } from "playwright/test";

/**
 * What a window of Chromium's prepares for the person in front of it: two pages for the address field's suggestions,
 * each in a process of its own. Nobody types there, and they are two fifths of what a test's first page costs. And a
 * process for a page that may come, where a test's next page has a window and processes of its own.
 */
const UNUSED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"],
  "SpareRendererForSitePerProcess",
];

/** What Playwright switches off for its tests. The switch counts once: ours takes the place of its own. */
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
    // As root Chromium cannot make its sandbox; the tests visit nothing but this application.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ],
} satisfies LaunchOptions;
