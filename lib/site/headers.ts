/** Security headers of pages: what `@svc/login/headers` exports. */
export { protectPages } from "./protect-pages.ts";
export { protectedPage } from "./protected-page.ts";
