import { login } from "#lib/account/login.ts";

/** Signs the browser in that started an answered login, in one request. */
export const POST = login.routes.POST;
