import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import type { LoginCore } from "./core.ts";
import { tokenDecoder } from "./session-token.ts";

const SECRETS = ["current", "previous", "the one before"] as const;

/** Of a core the decoder reads the secrets alone. */
const decoder = tokenDecoder({ secrets: SECRETS } as unknown as LoginCore);

test.each([...SECRETS])("reads a token made under any of the secrets: %s", async (secret) => {
  const token = await encode({ token: { userId: 1 }, secret });
  expect(await decoder({ token, secret: SECRETS[0] })).toMatchObject({ userId: 1 });
});

test("refuses a token made under another secret", async () => {
  const token = await encode({ token: { userId: 1 }, secret: "a stranger's" });
  await expect(decoder({ token, secret: SECRETS[0] })).rejects.toThrow();
});
