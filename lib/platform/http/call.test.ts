import { expect, test, vi } from "vitest";
import { errorResponse } from "./call.ts";

test("a refusal of another bundle's copy of the class is told as it is, and is no failure", async () => {
  const onFailure = vi.fn();
  vi.resetModules();
  const copy = await import("#lib/login/protocol/errors.ts");
  const response = errorResponse(copy.refusal("session_not_found", "Start again."), onFailure);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    error: { code: "session_not_found", message: "Start again.", details: {} },
  });
  expect(onFailure).not.toHaveBeenCalled();
});

test("any other error tells the caller nothing", async () => {
  const onFailure = vi.fn();
  const response = errorResponse(Object.assign(new Error("disk full"), { name: "Refusal" }), onFailure);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("disk");
  expect(onFailure).toHaveBeenCalledOnce();
});
