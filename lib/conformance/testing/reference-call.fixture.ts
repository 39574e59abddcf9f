/** What the reference API is called with. */

export type Body = Record<string, unknown>;
export type Call = {
  tenant: string;
  id: string;
  query: URLSearchParams;
  body: Body;
  idempotencyKey: string | undefined;
};
