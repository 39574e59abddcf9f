import { type ChangeResult, requestChange } from "#lib/approval/request-change.ts";

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
