import { login } from "#lib/login.ts";

/** Signs in the browser that started an answered login, in one request. */
export const POST = login.routes.POST;
