import { type ChangeResult, requestChange } from "#lib/approval/request-change.ts";

/** What the dashboard asks the server to change. */

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

/** Adds what answered a code to the signed-in user. */
export function addCredential(sid: string): Promise<ChangeResult> {
  return requestChange("/api/account/credentials", "POST", { sid });
}

/** Names a way to sign in; an empty name takes it away. */
export function nameCredential(id: string, label: string): Promise<ChangeResult> {
  return requestChange(`/api/account/credentials/${encodeURIComponent(id)}`, "PATCH", { label });
}

/** Removes a way to sign in. */
export function removeCredential(id: string): Promise<ChangeResult> {
  return requestChange(`/api/account/credentials/${encodeURIComponent(id)}`, "DELETE");
}

/** Hides changes of the account in this browser. */
export function dismissChanges(ids: readonly string[]): Promise<ChangeResult> {
  return requestChange("/api/account/changes/dismiss", "POST", { ids });
}

/** Ends one of the user's sessions. Done when it is gone, also if it was before. */
export async function endSession(id: string): Promise<ChangeResult> {
  return goneIsDone(await requestChange(`/api/account/sessions/${encodeURIComponent(id)}`, "DELETE"));
}

/** Ends all of them, this browser's too, and with `revokesKeys` the API keys. */
export async function endAllSessions(revokesKeys: boolean): Promise<ChangeResult> {
  const query = revokesKeys ? "?api_keys=revoke" : "";
  return goneIsDone(await requestChange(`/api/account/sessions${query}`, "DELETE"));
}

function goneIsDone(result: ChangeResult): ChangeResult {
  return !result.done && (result.status === 404 || result.status === 401) ? { done: true } : result;
}
