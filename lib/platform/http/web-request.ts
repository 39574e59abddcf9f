/** What handlers read of a web request. A `Request` is one, and what the server hands them in front of the framework. */
export type WebRequest = Pick<Request, "method" | "url" | "headers" | "body" | "signal">;
