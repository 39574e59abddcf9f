import { afterEach, expect, test, vi } from "vitest";
import { createLogin } from "./create-login.ts";

afterEach(() => vi.useRealTimers());

test("while the set-up hangs, a request is answered 503 after ten seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const login = createLogin(() => new Promise(() => {}));
  const asked = [
    login.routes.GET(new Request("https://shop.example/api/svc/qr")),
    login.auth.GET(new Request("https://shop.example/api/auth/session")),
    login.nextAuth.guard(async () => new Response("unguarded"))(
      new Request("https://shop.example/api/auth/session"),
      null,
    ),
  ];
  const session = login.currentSession(new Headers()).catch((error: Error) => error.name);
  await vi.advanceTimersByTimeAsync(10_000);
  for (const answer of await Promise.all(asked)) {
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: "service_unavailable", details: {} } });
    expect(answer.headers.get("Retry-After")).toBe("2");
  }
  expect(await session).toBe("DatabaseTimeoutError");
  stderr.mockRestore();
});
