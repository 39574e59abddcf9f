import { DeviceInfo } from "#lib/login/protocol/wallet-response.ts";

/** What a wallet said about its device (specification 2.5), `ios 18.2`; null when it said nothing. Its own claim. */
export function deviceName(deviceInfo: unknown): string | null {
  const parsed = DeviceInfo.safeParse(deviceInfo);
  if (!parsed.success) return null;
  const { platform, version } = parsed.data;
  return [platform, version].filter(Boolean).join(" ") || null;
}
