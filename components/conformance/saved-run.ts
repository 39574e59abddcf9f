/** The run of this tab, which continues after a reload. */
const STORAGE_KEY = "svc-conformance-run";

/**
 * Uses the tab's storage. If the browser blocks site data, every use throws, and the run ends when its page is closed.
 */
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
