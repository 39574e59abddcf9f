import { login } from "@/lib/login.ts";

export const { GET, HEAD } = login.routes;
