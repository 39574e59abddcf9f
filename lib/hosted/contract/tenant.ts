/** The two modes of the hosted API, with separate data (docs/protocol.md#5-hosted-login). */
export const API_MODES = ["live", "test"] as const;
export type ApiMode = (typeof API_MODES)[number];

/** The tenant and the mode whose data a request to the hosted API can access. */
export type Tenant = {
  tenantId: string;
  mode: ApiMode;
};

/** The default tenant of the administration command. */
export const OPERATOR_TENANT = "operator";

/** The base path of each mode, which includes the version. */
export const BASE_PATHS: Record<ApiMode, string> = { live: "/v1", test: "/sandbox/v1" };

/** The path of the test inbox, a webhook URL that keeps events for the console. */
export const TEST_INBOX_PATH = "/webhook/test-inbox";

/** Returns true for one of the two modes. */
export function isApiMode(value: unknown): value is ApiMode {
  return API_MODES.some((mode) => mode === value);
}
