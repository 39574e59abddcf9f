import { createHostedApi } from "#lib/hosted/api/hosted-api.ts";

/** The hosted API's sandbox, whose data is separate (docs/protocol.md#5-hosted-login). */
export const { GET, POST, PATCH, DELETE } = createHostedApi("test");
