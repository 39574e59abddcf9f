/** Stored per tab, so that the run continues after a reload. */
const STORAGE_KEY = "svc-conformance-run";

/** Null if the browser blocks storage; the run then ends when the page is closed. */
function withStorage<Value>(act: (storage: Storage) => Value): Value | null {
  try {
    return act(sessionStorage);
  } catch {
    return null;
  }
}

export const readSavedRun = () => withStorage((storage) => storage.getItem(STORAGE_KEY));

export const saveRun = (secret: string) => withStorage((storage) => storage.setItem(STORAGE_KEY, secret));

export const removeSavedRun = () => withStorage((storage) => storage.removeItem(STORAGE_KEY));
