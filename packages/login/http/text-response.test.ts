import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { PlainHeaders, TextResponse } from "./text-response.ts";

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

type Step = ["append" | "set" | "delete", string, string];

const NAMES = ["Set-Cookie", "set-cookie", "Vary", "vary", "X-One", "Cache-Control"];
const steps = fc.array(
  fc.tuple(
    fc.constantFrom("append", "set", "delete"),
    fc.constantFrom(...NAMES),
    fc.stringMatching(/^[a-z0-9]{1,3}$/),
  ) as fc.Arbitrary<Step>,
  { maxLength: 12 },
);

function apply(headers: Headers, [act, name, value]: Step): void {
  if (act === "delete") headers.delete(name);
  else headers[act](name, value);
}

/** All that can be read of headers; their order apart. */
function read(headers: Headers) {
  const told: [string, string][] = [];
  headers.forEach((value, name, all) => {
    expect(all).toBe(headers);
    told.push([name, value]);
  });
  expect(told).toEqual([...headers]);
  expect([...headers.keys()]).toEqual(told.map(([name]) => name));
  expect([...headers.values()]).toEqual(told.map(([, value]) => value));
  return {
    entries: told.sort(([one], [other]) => (one < other ? -1 : Number(one > other))),
    named: NAMES.map((name) => [headers.get(name), headers.has(name)]),
    cookies: headers.getSetCookie(),
  };
}

test("an answer's headers are read as a `Headers` would be, whatever was set, added and deleted", () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const [ours, theirs] = [new PlainHeaders([["Vary", "a"]]), new Headers([["Vary", "a"]])];
      for (const step of taken) {
        apply(ours, step);
        apply(theirs, step);
      }
      expect(read(ours)).toEqual(read(theirs));
      expect(read(new Headers(ours))).toEqual(read(theirs));
    }),
  );
});
