import type { WebRequest } from "#packages/login/server/web-request.ts";

/** A route handler that needs nothing from the framework: a web request in, a web response out. */
export type DirectHandler = (request: WebRequest) => Promise<Response>;

type DirectHandlers = {
  /** By method and path: `GET /api/svc/check`. */
  at: Map<string, DirectHandler>;
  /** By the beginning of the path, such as `/v1/`, in all methods that the gate lets through. */
  below: Map<string, DirectHandler>;
  /** Rejects when the database does not answer: asked before a page is rendered. */
  assertDatabaseAnswers: () => Promise<void>;
};

/**
 * The handlers that the server calls without the framework's router, which takes several times as long as they do
 * (docs/performance.md): those of every login and of the hosted API. They are registered here at start.
 */
export const directHandlers: DirectHandlers = {
  at: new Map(),
  below: new Map(),
  assertDatabaseAnswers: async () => {},
};
