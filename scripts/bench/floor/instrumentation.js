/** Nothing: without a file of its own the framework takes the surrounding application's. */
export function register() {}
