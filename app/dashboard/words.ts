import { TRIAL_PLATFORM } from "@svc/wallet/wallet-response";
import type { AuditEntry } from "#lib/login/account/store/history.ts";
import { browserName } from "#lib/login/protocol/browser-name.ts";
import { DeviceInfo } from "#lib/login/protocol/messages.ts";

/** How a browser wallet names its platform: what it runs in follows. */
const BROWSER_PLATFORM = /^web(?:: (.+))?$/;
const PLATFORMS: Record<string, string> = {
  ios: "iOS",
  android: "Android",
  linux: "Linux",
  macos: "macOS",
  darwin: "macOS",
  win32: "Windows",
  windows: "Windows",
};

/**
 * A wallet by what it said about its device, `Wallet on iOS`; null when it said nothing. Its own claim.
 * @param userAgent of the browser that it signed in: a temporary wallet is in that
 */
export function walletName(deviceInfo: unknown, userAgent: string | null): string | null {
  const platform = DeviceInfo.safeParse(deviceInfo).data?.platform;
  if (!platform) return null;
  if (platform === TRIAL_PLATFORM)
    return `Temporary wallet${userAgent ? inBrowser(browserName(userAgent)) : ""}`;
  const web = BROWSER_PLATFORM.exec(platform);
  if (web) return `Demo wallet${inBrowser(web[1])}`;
  return `Wallet on ${PLATFORMS[platform.toLowerCase()] ?? platform}`;
}

const inBrowser = (name = "a browser") => ` in ${name.replace(/^(A|Unknown) browser/, "a browser")}`;

/** Whether a wallet said that nothing would bring it back. Its own claim. */
export function isTrialWallet(deviceInfo: unknown): boolean {
  return DeviceInfo.safeParse(deviceInfo).data?.platform === TRIAL_PLATFORM;
}

/** A line of the login history in words; null for what its user need not read. */
export function historyWords({ kind, reason }: Pick<AuditEntry, "kind" | "reason">): string | null {
  switch (kind) {
    case "session_created":
      return "Signed in";
    case "session_ended":
      return reason === "signed_out" ? "Signed out" : reason === "undone" ? "Taken back" : "Revoked";
    case "credential_added":
      return "Way to sign in added";
    case "credential_removed":
      return reason === "not_mine"
        ? "Way to sign in removed by its holder, whose account this is not"
        : "Way to sign in removed";
    case "approved":
      return "Change approved";
    case "api_key_created":
      return "API key created";
    case "api_key_revoked":
      return "API key revoked";
    case "webhook_secret_rotated":
      return "Webhook secret replaced";
    case "webhook_url_changed":
      return "Webhook URL changed";
    case "domain_deleted":
      return "Domain deleted";
    case "signed_out_everywhere":
      return "Signed out everywhere";
    case "recovery_codes_made":
      return "Recovery codes made";
    case "recovery_opened":
      return "Recovery begun with one of your codes";
    case "recovery_pending":
      return "Recovery waiting to take effect";
    case "recovery_cancelled":
      return reason === "credential_taken"
        ? "Recovery cancelled: its key opens another account by now"
        : "Recovery cancelled";
    case "recovered":
      return "Account recovered";
    case "undone":
      return "Sign-in taken back with the wallet";
    // The session that came of it says the same, with the browser.
    case "delivered":
    case "issued":
    case "refused":
    case "unregistered":
      return null;
  }
}
