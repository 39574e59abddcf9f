import { createHostedApi } from "#lib/hosted/api/hosted-api.ts";

/** The live hosted API (docs/protocol.md#5-hosted-login). */
export const { GET, POST, PATCH, DELETE } = createHostedApi("live");
