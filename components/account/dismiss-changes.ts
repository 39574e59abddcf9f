import { type ChangeResult, requestChange } from "#lib/approval/request-change.ts";

/** Shows changes that were made in another browser no more in this one. */
export function dismissChanges(ids: readonly string[]): Promise<ChangeResult> {
  return requestChange("/api/account/changes/dismiss", "POST", { ids });
}
