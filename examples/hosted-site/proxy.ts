export { protectPages as proxy } from "@svc/login/headers";

export const config = { matcher: ["/((?!_next/|api/|\\.well-known/|favicon\\.ico$).*)"] };
