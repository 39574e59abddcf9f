import { login } from "@/lib/login.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = login.routes;
