import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readHostedEnv } from "./hosted.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-hosted-env-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const GOOD = { SVC_API_KEY: "svc_test_abc", SVC_WEBHOOK_SECRET: SECRET };
const read = (source: Record<string, string | undefined>) =>
  readHostedEnv({ ...source, DATA_FOLDER: folder });

describe("the environment of a customer's site", () => {
  test("requires a key and a webhook secret, and defaults to the API on localhost", () => {
    const env = read(GOOD);
    expect(env.apiUrl.href).toBe("http://localhost:3000/sandbox/v1");
    expect(env).toMatchObject({ apiKey: "svc_test_abc", webhookSecrets: [SECRET] });
    const [live, previous] = [
      "https://login.example/v1",
      "whsec_b2xkIHNlY3JldCBvbGQgc2VjcmV0IG9sZCBzZWNyZXQ=",
    ];
    const other = read({ ...GOOD, SVC_API_URL: live, SVC_WEBHOOK_SECRET_PREVIOUS: previous });
    expect(other.apiUrl.href).toBe(live);
    expect(other.webhookSecrets).toEqual([SECRET, previous]);
  });

  test.each([undefined, ""])(
    "is refused without its key, and the message says where to get one: %j",
    (key) => {
      expect(() => read({ ...GOOD, SVC_API_KEY: key })).toThrow(
        /^SVC_API_KEY: required.*console.*npm run admin -- api-key create --mode test --name "my site"`$/,
      );
    },
  );

  test("requires DATABASE_URL and NEXTAUTH_SECRET if the site's origin is public", () => {
    expect(() => read({ ...GOOD, APP_URL: "https://shop.example" })).toThrow(
      /^DATABASE_URL: required to serve .*\nNEXTAUTH_SECRET: required/,
    );
  });

  test("is refused without its webhook secret, and the message says where to get one", () => {
    expect(() => read({ ...GOOD, SVC_WEBHOOK_SECRET: "" })).toThrow(
      /^SVC_WEBHOOK_SECRET: required.*POST \/domains/,
    );
  });

  test.each([
    ["SVC_API_URL", "http://login.example/v1"],
    ["SVC_API_URL", "login.example"],
    ["SVC_API_URL", "https://user@login.example/v1"],
    ["SVC_API_URL", "https://login.example/v1?x=1"],
    ["SVC_API_KEY", "whsec_abc"],
    ["SVC_API_KEY", "svc_test_ä"],
    ["SVC_WEBHOOK_SECRET", "svc_test_abc"],
    ["SVC_WEBHOOK_SECRET_PREVIOUS", "whsec_c2hvcnQ="],
    ["APP_URL", "http://shop.example"],
  ])("is refused with an invalid value, and the message names the variable: %s=%s", (name, value) => {
    expect(() => read({ ...GOOD, [name]: value })).toThrow(new RegExp(`^${name}: expected`));
  });
});
