import { type ChangeResult, requestChange } from "#lib/approval/request-change.ts";

/** What the dashboard asks of the account as a whole. */

/** Revokes every API key of the signed-in user. */
export function revokeApiKeys(): Promise<ChangeResult> {
  return requestChange("/api/account/api-keys", "DELETE");
}

/** Stops the dashboard from asking for a second way in. */
export function dismissBackupQuestion(): Promise<ChangeResult> {
  return requestChange("/api/account/backup-question/dismiss", "POST");
}

/** Deletes the signed-in user's account. */
export function deleteAccount(): Promise<ChangeResult> {
  return requestChange("/api/account", "DELETE");
}
