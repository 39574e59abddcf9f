import { login } from "@/lib/login.ts";

/** Serves the package's endpoints, and a clear 404 for other paths. Your own routes take precedence. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = login.routes;
