import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { signEvent } from "./webhook-signature.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/events.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "svc-examples-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = "whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldA==";
const BODY = '{"event":"login","data":{"platform":"ü 🔑"}}';
const GOOD = signEvent({ id: "msg_1", timestamp: 1, body: BODY, secrets: [SECRET] })["x-svc-signature"] ?? "";
const CASES = [
  [BODY, GOOD],
  [`${BODY} `, GOOD],
  [BODY, `${GOOD}00`],
  [BODY, GOOD.slice(2)],
  [BODY, ""],
] as const;
const EXPECTED = [true, false, false, false, false];

/** The first example of a language in the guide. */
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

const has = (command: string, flag: string) => spawnSync(command, [flag]).status === 0;

describe("the guide's examples tell a genuine event from any other", () => {
  const cases = JSON.stringify(CASES);

  it("in Node", async () => {
    const { isGenuine } = await import(write("example.mjs", example("js")));
    const answers = CASES.map(([body, signature]) =>
      isGenuine(Buffer.from(body), { "x-svc-signature": signature }, SECRET),
    );
    expect(answers).toEqual(EXPECTED);
    expect(isGenuine(Buffer.from(BODY), {}, SECRET)).toBe(false);
  });

  it.skipIf(!has("python3", "--version"))("in Python (skipped where there is none)", () => {
    const file = write(
      "example.py",
      `${example("python")}
import json
cases = json.loads(${JSON.stringify(cases)})
print(json.dumps([is_genuine(body.encode(), {"x-svc-signature": given}, "${SECRET}") for body, given in cases]))
`,
    );
    expect(run("python3", [file])).toEqual(EXPECTED);
  });

  it.skipIf(!has("go", "version"))("in Go (skipped where there is none)", () => {
    const file = write(
      "example.go",
      `package main
import ("crypto/hmac"; "crypto/sha256"; "encoding/hex"; "encoding/json"; "net/http"; "os")
${example("go")}
func main() {
	var cases [][2]string
	json.Unmarshal([]byte(\`${cases}\`), &cases)
	answers := []bool{}
	for _, one := range cases {
		header := http.Header{}
		header.Set("x-svc-signature", one[1])
		answers = append(answers, isGenuine([]byte(one[0]), header, "${SECRET}"))
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
`,
    );
    expect(run("go", ["run", file])).toEqual(EXPECTED);
  });
});
