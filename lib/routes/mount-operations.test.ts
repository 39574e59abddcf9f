import { expect, test } from "vitest";
import type { createEndpoint } from "#lib/platform/http/endpoint.ts";
import { jsonResponse } from "#packages/login/http/call.ts";
import { mountOperations } from "./mount-operations.ts";

type Routes = readonly [
  { path: "/api/things"; methods: readonly ["GET", "HEAD"] },
  { path: "/api/things/:id"; methods: readonly ["PATCH", "DELETE"] },
];

const tell =
  (name: string): ReturnType<typeof createEndpoint> =>
  async (_request, { params }) =>
    jsonResponse(200, { name, params: await params });
const { GET: answer } = mountOperations<Routes>({
  "GET /api/things": tell("list"),
  "PATCH /api/things/:id": tell("rename"),
  "DELETE /api/things/:id": tell("remove"),
});

const ask = (method: string, path: string) =>
  answer(new Request(`http://localhost${path}`, { method }), { params: Promise.resolve(undefined) });

test.each([
  ["GET", "/api/things?x=1", { name: "list", params: {} }],
  ["PATCH", "/api/things/a", { name: "rename", params: { id: "a" } }],
  ["DELETE", "/api/things/a%20b", { name: "remove", params: { id: "a b" } }],
])(
  "passes a request to the handler for its method and path, with the path's parameters: %s %s",
  async (method, path, call) => {
    expect(await (await ask(method, path)).json()).toEqual(call);
  },
);

test("passes HEAD requests to the GET handler", async () => {
  expect((await ask("HEAD", "/api/things")).status).toBe(200);
});

test.each([
  ["POST", "/api/things"],
  ["DELETE", "/api/things"],
  ["GET", "/api/things/a"],
  ["PATCH", "/api/things/a/b"],
])("returns 404 for a request without a handler: %s %s", async (method, path) => {
  expect((await ask(method, path)).status).toBe(404);
});
