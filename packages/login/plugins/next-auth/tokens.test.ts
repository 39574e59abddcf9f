import { decode, encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { BROWSER_SESSION_SECONDS } from "../../protocol/numbers.ts";
import { nextAuthTokenCodec } from "./tokens.ts";

const SECRETS = ["current", "previous", "the one before"] as const;
const CLAIMS = { browserSessionId: "4cd3d0c4-6c0a-4d7a-9d1c-3a52a7a5b0f1", userId: 1 };

test.each([...SECRETS])("reads a token that NextAuth created with any of the secrets: %s", async (secret) => {
  const token = await encode({ token: CLAIMS, secret });
  expect(await nextAuthTokenCodec.decode(token, SECRETS)).toMatchObject(CLAIMS);
});

test("creates a token that NextAuth can read for as long as a browser session lasts", async () => {
  const payload = await decode({
    token: await nextAuthTokenCodec.encode(CLAIMS, "current"),
    secret: "current",
  });
  expect(payload).toMatchObject({ ...CLAIMS, jti: expect.any(String) });
  expect(Number(payload?.exp) - Number(payload?.iat)).toBe(BROWSER_SESSION_SECONDS);
});

test("refuses a token made with a different secret", async () => {
  const token = await encode({ token: CLAIMS, secret: "a stranger's" });
  await expect(nextAuthTokenCodec.decode(token, SECRETS)).rejects.toThrow();
});

test("refuses a token that has expired", async () => {
  const token = await encode({ token: CLAIMS, secret: "current", maxAge: -60 });
  await expect(nextAuthTokenCodec.decode(token, SECRETS)).rejects.toThrow();
});
