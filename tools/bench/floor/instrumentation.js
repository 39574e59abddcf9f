/** Does nothing. Without this file the framework would use the surrounding application's. */
export function register() {}
