import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { nextAuthTokens } from "./tokens.ts";

const SECRETS = ["current", "previous", "the one before"] as const;

test.each([...SECRETS])("reads a token made under any of the secrets: %s", async (secret) => {
  const token = await encode({ token: { userId: 1 }, secret });
  expect(await nextAuthTokens.decode(token, SECRETS)).toMatchObject({ userId: 1 });
});

test("refuses a token made under another secret", async () => {
  const token = await encode({ token: { userId: 1 }, secret: "a stranger's" });
  await expect(nextAuthTokens.decode(token, SECRETS)).rejects.toThrow();
});
