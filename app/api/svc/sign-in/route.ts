import { login } from "#lib/login.ts";

/** Signs in the browser that started an answered login. */
export const POST = login.routes.POST;
