import { login } from "#lib/login.ts";

/** Signs in the browser that started a login, once a wallet has answered the login. */
export const POST = login.routes.POST;
