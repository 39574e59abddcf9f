import { TEST_INBOX_PATH } from "#lib/hosted/contract/tenant.ts";

/** Whether events to this URL are kept for the console instead of being sent. */
export const isInbox = (url: string) => new URL(url).pathname === TEST_INBOX_PATH;

/** Where an event goes, in words. */
export const targetOf = (url: string) => (isInbox(url) ? "the test inbox" : url);
