import { type ChangeResult, requestChange } from "#lib/approval/request-change.ts";

/** What the dashboard asks of the account as a whole. */

/** Revokes every API key of the signed-in user. */
export function revokeApiKeys(): Promise<ChangeResult> {
  return requestChange("/api/account/api-keys", "DELETE");
}

/** Has the dashboard ask for a second way in no more. */
export function dismissBackupQuestion(): Promise<ChangeResult> {
  return requestChange("/api/account/backup-question/dismiss", "POST");
}

/** Deletes the signed-in user's account. */
export function deleteAccount(): Promise<ChangeResult> {
  return requestChange("/api/account", "DELETE");
}
