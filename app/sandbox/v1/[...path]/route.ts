import { createHostedApi } from "#lib/hosted/api/hosted-api.ts";

/** The hosted API's sandbox (docs/protocol.md#5-hosted-login), with separate data. */
export const { GET, POST, PATCH, DELETE } = createHostedApi("test");
