import type { Brand } from "#packages/login/http/plain-page.ts";
import { processSingleton } from "#packages/login/process/state.ts";
import { MARK_PATHS } from "./mark.ts";

/** For this application's plain pages. The server adds the typeface from its build. */
export const brand = processSingleton(
  "brand",
  (): Brand => ({
    name: "svc login",
    mark: `<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" fill="currentColor"><path fill-rule="evenodd" d="${MARK_PATHS[0]}"/><path d="${MARK_PATHS[1]}"/></svg>`,
    font: null,
  }),
);
