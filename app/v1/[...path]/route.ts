import { hostedApi } from "#lib/hosted/api/hosted-api.ts";

/** The hosted API, live (specification 4.2). */
export const { GET, POST, PATCH, DELETE } = hostedApi("live");
