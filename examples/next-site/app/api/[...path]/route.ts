import { login } from "@/lib/login.ts";

/**
 * Serves the package's endpoints, and a 404 with a clear message for other paths. Your own routes below `app/api` take
 * precedence.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = login.routes;
