/** Revokes one of the user's sessions. */
export { DELETE } from "../route.ts";
