/** Does nothing: without this file the framework would take the surrounding application's. */
export function register() {}
