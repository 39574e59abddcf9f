import { DeviceInfo } from "#lib/login/protocol/messages.ts";
import { TRIAL_PLATFORM } from "#lib/wallet/device-info.ts";

/** What a wallet said about its device, `ios 18.2`; null when it said nothing. Its own claim. */
export function deviceName(deviceInfo: unknown): string | null {
  const parsed = DeviceInfo.safeParse(deviceInfo);
  if (!parsed.success) return null;
  const { platform, version } = parsed.data;
  if (platform === TRIAL_PLATFORM) return "a wallet for trying out";
  return [platform, version].filter(Boolean).join(" ") || null;
}

/** Whether a wallet said that nothing would bring it back. Its own claim. */
export function isTrialWallet(deviceInfo: unknown): boolean {
  return DeviceInfo.safeParse(deviceInfo).data?.platform === TRIAL_PLATFORM;
}
