/** The hosted API's two modes have separate data (docs/protocol.md#5-hosted-login). */
export const API_MODES = ["live", "test"] as const;
export type ApiMode = (typeof API_MODES)[number];

/** The tenant and mode whose data a request can access. */
export type Tenant = {
  tenantId: string;
  mode: ApiMode;
};

/** The tenant that the administration command uses by default. */
export const OPERATOR_TENANT_NAME = "operator";

/** Each mode's base path, including the API's version. */
export const API_BASE_PATHS: Record<ApiMode, string> = { live: "/v1", test: "/sandbox/v1" };

/** The test inbox's path. Events to this webhook URL are stored for the console. */
export const TEST_INBOX_PATH = "/webhook/test-inbox";

export function isApiMode(value: unknown): value is ApiMode {
  return API_MODES.some((mode) => mode === value);
}
