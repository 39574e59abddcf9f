import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether React has taken the page over: false on the server, and in the first render of a page that it made. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
