/** The browser's side of a hosted login: what `@svc/login/hosted/client` exports. */
export { hostedSource } from "./hosted-source.ts";
