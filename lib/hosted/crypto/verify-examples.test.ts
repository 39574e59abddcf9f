import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createSignatureHeaders } from "./webhook-signature.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/events.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "svc-examples-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = "whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldA==";
const BODY = '{"event":"login","data":{"platform":"ü 🔑"}}';
const NOW = Math.floor(Date.now() / 1000);

type Headers = Record<string, string>;
const signedHeaders = (timestamp = NOW): Headers =>
  createSignatureHeaders({ id: "msg_1", timestamp, body: BODY, secrets: [SECRET, "whsec_b3RoZXI="] });
const GOOD = signedHeaders();
const [ours = "", theirs = ""] = GOOD["webhook-signature"]?.split(" ") ?? [];

/** The body, the headers, and whether the event is genuine. */
const CASES: readonly [string, Headers, boolean][] = [
  [BODY, GOOD, true],
  [BODY, { ...GOOD, "webhook-signature": ours }, true],
  [BODY, { ...GOOD, "webhook-signature": `v2,AAAA ${ours}` }, true],
  [BODY, { ...GOOD, "webhook-signature": theirs }, false],
  [`${BODY} `, GOOD, false],
  [BODY, { ...GOOD, "webhook-id": "msg_2" }, false],
  [BODY, { ...GOOD, "webhook-timestamp": String(NOW + 1) }, false],
  [BODY, { ...GOOD, "webhook-signature": `${ours}00` }, false],
  [BODY, { ...GOOD, "webhook-signature": ours.slice(0, -2) }, false],
  [BODY, { ...GOOD, "webhook-signature": ours.slice(3) }, false],
  [BODY, { ...GOOD, "webhook-signature": "" }, false],
  [BODY, signedHeaders(NOW - 360), false],
  [BODY, signedHeaders(NOW + 360), false],
  [BODY, { ...GOOD, "webhook-timestamp": "soon" }, false],
  [BODY, {}, false],
];
const EXPECTED = CASES.map(([, , genuine]) => genuine);

/** The guide's first example in the language. */
function example(language: string): string {
  const code = guide.split(`\`\`\`${language}\n`)[1]?.split("```")[0];
  if (!code) throw new Error(`no example in ${language}`);
  return code;
}

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function run(command: string, args: string[], cwd = folder): boolean[] {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", cwd });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

it("signs an event exactly as the Standard Webhooks example does", () => {
  // From the tests of Standard Webhooks' reference libraries.
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const [id, timestamp, body] = ["msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}'];
  expect(createSignatureHeaders({ id, timestamp, body, secrets: [secret] })).toMatchObject({
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    // HMAC-SHA256 of the body, keyed with the secret's text. Computed with OpenSSL.
    "x-svc-signature": "80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
  });
});

const isInstalled = (command: string, flag: string) => spawnSync(command, [flag]).status === 0;

describe("the guide's examples", () => {
  const cases = JSON.stringify(CASES);

  it("accept only genuine events in Node", async () => {
    const { isGenuine } = await import(write("example.mjs", example("js")));
    const answers = CASES.map(([body, headers]) => isGenuine(Buffer.from(body), headers, SECRET));
    expect(answers).toEqual(EXPECTED);
  });

  it.skipIf(!isInstalled("python3", "--version"))(
    "accept only genuine events in Python (skipped if it is missing)",
    () => {
      const file = write(
        "example.py",
        `${example("python")}
import json
cases = json.loads(${JSON.stringify(cases)})
print(json.dumps([is_genuine(body.encode(), headers, "${SECRET}") for body, headers, _ in cases]))
`,
      );
      expect(run("python3", [file])).toEqual(EXPECTED);
    },
  );

  it.skipIf(!isInstalled("go", "version"))(
    "accept only genuine events in Go (skipped if it is missing)",
    () => {
      const file = write(
        "example.go",
        `package main
import ("crypto/hmac"; "crypto/sha256"; "encoding/base64"; "encoding/json"; "net/http"; "os"; "strconv"; "strings"; "time")
${example("go")}
func main() {
	var cases [][]json.RawMessage
	json.Unmarshal([]byte(\`${cases}\`), &cases)
	answers := []bool{}
	for _, one := range cases {
		var body string
		var headers map[string]string
		json.Unmarshal(one[0], &body)
		json.Unmarshal(one[1], &headers)
		header := http.Header{}
		for name, value := range headers {
			header.Set(name, value)
		}
		answers = append(answers, isGenuine([]byte(body), header, "${SECRET}"))
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
`,
      );
      expect(run("go", ["run", file])).toEqual(EXPECTED);
    },
  );
});
