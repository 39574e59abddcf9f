import { login } from "@/lib/login.ts";

/** Every endpoint of the package, and a clear 404 for the rest. Routes of your own below `app/api` come first. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = login.routes;
