/** The headers of a request, as they are read. */
export type SentHeaders = Pick<Headers, "get" | "entries">;
