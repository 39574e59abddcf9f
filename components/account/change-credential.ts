/** How a change to the user's ways to sign in ended; `message` is the server's own when it refused. */
export type ChangeResult = { done: true } | { done: false; message: string };

const UNREACHABLE = "We cannot reach the site. Try again.";

/** Adds what answered a code to the signed-in user. */
export function addCredential(sid: string): Promise<ChangeResult> {
  return change("/api/account/credentials", "POST", { sid });
}

/** Names a way to sign in; an empty name takes it away. */
export function nameCredential(id: string, label: string): Promise<ChangeResult> {
  return change(`/api/account/credentials/${encodeURIComponent(id)}`, "PATCH", { label });
}

/** Removes a way to sign in. */
export function removeCredential(id: string): Promise<ChangeResult> {
  return change(`/api/account/credentials/${encodeURIComponent(id)}`, "DELETE");
}

async function change(path: string, method: string, body?: unknown): Promise<ChangeResult> {
  try {
    const response = await fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (response.ok) return { done: true };
    const { error } = await response.json();
    return { done: false, message: typeof error?.message === "string" ? error.message : UNREACHABLE };
  } catch {
    return { done: false, message: UNREACHABLE };
  }
}
