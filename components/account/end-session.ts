/** Ends one of the user's sessions, or all of them with null. True when it is gone, also if it was before. */
export async function endSession(id: string | null): Promise<boolean> {
  const path = id === null ? "/api/account/sessions" : `/api/account/sessions/${encodeURIComponent(id)}`;
  try {
    const { ok, status } = await fetch(path, { method: "DELETE" });
    return ok || status === 404 || status === 401;
  } catch {
    return false;
  }
}
