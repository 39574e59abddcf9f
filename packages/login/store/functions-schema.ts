/**
 * The schema of the login's SQL functions, named after their version. Raise it when a released function changes:
 * processes of the previous release call theirs until they end.
 */
export const FUNCTIONS_SCHEMA = "login_1";
