// Sets the security headers of every page. Each response has a content security policy with a new nonce.
export { protectPages as proxy } from "@svc/login/headers";

export const config = { matcher: ["/((?!_next/|api/|webhook/|favicon\\.ico$).*)"] };
