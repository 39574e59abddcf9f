import { hostedApi } from "#lib/hosted/api/hosted-api.ts";

/** The hosted API's sandbox (specification 4.2), with data of its own. */
export const { GET, POST, PATCH, DELETE } = hostedApi("test");
