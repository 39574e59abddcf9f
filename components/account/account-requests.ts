import { goneIsDone } from "@svc/login/account";
import { type ChangeResult, requestChange } from "@svc/login/recovery";

/** What the dashboard asks the server to change. */

/** Revokes every API key of the signed-in user. */
export function revokeApiKeys(): Promise<ChangeResult> {
  return requestChange("/api/account/api-keys", "DELETE");
}

/** Changes the user's name and picture, a JPEG in base64; what is undefined stays as it is. */
export function changeProfile(profile: {
  name: string;
  picture: string | null | undefined;
}): Promise<ChangeResult> {
  return requestChange("/api/account/profile", "PATCH", profile);
}

/** Deletes the signed-in user's account. */
export function deleteAccount(): Promise<ChangeResult> {
  return requestChange("/api/account", "DELETE");
}

/** Ends all of them, this browser's too, and with `revokesKeys` the API keys. */
export async function endAllSessions(revokesKeys: boolean): Promise<ChangeResult> {
  const query = revokesKeys ? "?api_keys=revoke" : "";
  return goneIsDone(await requestChange(`/api/account/sessions${query}`, "DELETE"));
}
