/** The names in examples. Test mode takes names below `.example` as they are, so an example runs as it stands. */
export const EXAMPLE_DOMAIN = "shop.example";
export const EXAMPLE_WEBHOOK_URL = "https://shop.example/api/svc/webhook";
export const EXAMPLE_SESSION_ID = "9fpAZa…";
