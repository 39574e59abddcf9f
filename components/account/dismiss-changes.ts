import { type ChangeResult, requestChange } from "#lib/approval/request-change.ts";

/** Hides changes that were made in another browser. */
export function dismissChanges(ids: readonly string[]): Promise<ChangeResult> {
  return requestChange("/api/account/changes/dismiss", "POST", { ids });
}
