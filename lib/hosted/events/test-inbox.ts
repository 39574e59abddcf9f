import { env } from "#lib/platform/env.ts";
import type { OutboundAnswer } from "#lib/platform/net/send-request.ts";
import { type ApiMode, TEST_INBOX_PATH } from "../contract/tenant.ts";

/**
 * The test inbox: a webhook for whoever has none yet. An event to it is signed, attempted and kept as every other, but
 * nothing is sent: its tenant reads it in the console. Nothing listens at the address, so nobody can post to it.
 */
export function testInboxUrl(): string {
  return env().APP_URL.origin + TEST_INBOX_PATH;
}

/** True for the test inbox, which takes the events of test mode alone. */
export function isTestInbox(url: string, mode: ApiMode): boolean {
  return mode === "test" && url === testInboxUrl();
}

/** What the test inbox answers. */
export const TAKEN_BY_INBOX: OutboundAnswer = {
  status: 200,
  headers: {},
  body: Buffer.from("Kept in the test inbox."),
  cut: null,
};
