import { login } from "@/lib/login.ts";

/**
 * Serves every endpoint of the package, and a clear 404 for other paths. Your own routes below `app/api` take
 * precedence.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = login.routes;
