import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether React has taken the page over: false in the page as it arrives, so that both render the same at first. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
