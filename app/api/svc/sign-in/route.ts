import { login } from "#lib/account/login.ts";

/** Signs in the browser that started an answered login, in one request. */
export const POST = login.routes.POST;
