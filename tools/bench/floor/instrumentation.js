/** Without this file, the framework would use the file of the surrounding application. */
export function register() {}
