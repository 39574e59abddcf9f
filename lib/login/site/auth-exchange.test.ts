import { describe, expect, it } from "vitest";
import { AuthResponse } from "./auth-exchange.ts";

describe("what NextAuth writes becomes the same web response", () => {
  it("with each of its cookies in a header of its own", () => {
    const response = new AuthResponse();
    response.setHeader("Set-Cookie", ["a=1; Path=/", "b=2; Path=/"]);
    expect(response.getHeader("set-cookie")).toEqual(["a=1; Path=/", "b=2; Path=/"]);
    response.json({ url: "/" });
    expect(response.toWebResponse().headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2; Path=/"]);
  });

  it("objects as JSON, texts as they are", async () => {
    const json = new AuthResponse();
    json.status(401).send({ ok: false });
    const answered = json.toWebResponse();
    expect(answered.status).toBe(401);
    expect(answered.headers.get("content-type")).toBe("application/json");
    expect(await answered.json()).toEqual({ ok: false });

    const text = new AuthResponse();
    text.send("<p>");
    expect(await text.toWebResponse().text()).toBe("<p>");
  });

  it("redirects without a body", async () => {
    const response = new AuthResponse();
    response.status(302).setHeader("Location", "/login");
    response.end();
    const answered = response.toWebResponse();
    expect([answered.status, answered.headers.get("location"), await answered.text()]).toEqual([
      302,
      "/login",
      "",
    ]);
  });
});
