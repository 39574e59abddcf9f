import { type ChangeResult, requestChange } from "#lib/approval/request-change.ts";

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
