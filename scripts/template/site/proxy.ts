// Security headers for every page, with a nonce of its own in each content security policy.
export { protectPages as proxy } from "@svc/login/headers";

export const config = { matcher: ["/((?!_next/|api/|webhook/|favicon\\.ico$).*)"] };
