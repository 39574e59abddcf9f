/** The modes have separate data (docs/protocol.md#5-hosted-login). */
export const API_MODES = ["live", "test"] as const;
export type ApiMode = (typeof API_MODES)[number];

export type Tenant = {
  tenantId: string;
  mode: ApiMode;
};

/** The administration command's default. */
export const OPERATOR_TENANT_NAME = "operator";

/** Each includes the API's version. */
export const API_BASE_PATHS: Record<ApiMode, string> = { live: "/v1", test: "/sandbox/v1" };

/** Events to this path are stored for the console. */
export const TEST_INBOX_PATH = "/webhook/test-inbox";

export function isApiMode(value: unknown): value is ApiMode {
  return API_MODES.some((mode) => mode === value);
}
