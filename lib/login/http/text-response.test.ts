import { describe, expect, it } from "vitest";
import { TextResponse } from "./text-response.ts";

const INIT = { status: 201, headers: new Headers({ "Content-Type": "application/json", "X-One": "1" }) };
const TEXT = '{"name":"Zoë"}';

describe("a response that keeps its text", () => {
  it("is read as any other", async () => {
    const made = () => new TextResponse(TEXT, INIT);
    expect(made()).toBeInstanceOf(Response);
    expect([made().status, made().headers.get("x-one")]).toEqual([201, "1"]);
    expect(await made().text()).toBe(TEXT);
    expect(await made().json()).toEqual(JSON.parse(TEXT));
    expect(Buffer.from(await made().arrayBuffer()).toString()).toBe(TEXT);
    expect(Buffer.from(await made().bytes()).toString()).toBe(TEXT);
    expect(await (await made().blob()).text()).toBe(TEXT);
    expect(await new Response(made().body).text()).toBe(TEXT);
    expect(await made().clone().text()).toBe(TEXT);
    const form = new TextResponse("a=1", {
      headers: [["Content-Type", "application/x-www-form-urlencoded"]],
    });
    expect((await form.formData()).get("a")).toBe("1");
  });

  it("is used up by reading, and has its text still", async () => {
    const response = new TextResponse(TEXT, INIT);
    expect(response.bodyUsed).toBe(false);
    await response.text();
    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(response.content).toBe(TEXT);
  });
});
