import { login } from "@/lib/login.ts";

export const { GET, POST } = login.auth;
