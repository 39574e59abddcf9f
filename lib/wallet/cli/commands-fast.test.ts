import bitcoinMessage from "bitcoinjs-message";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../../scripts/kit/receiver.ts";
import { seedFromPhrase } from "../seed.ts";
import { answerFastCode } from "./commands.ts";

const SEED = await seedFromPhrase(`${"abandon ".repeat(11)}about`);
const ADDRESSES = {
  p2wpkh: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
  "p2sh-p2wpkh": "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf",
  p2pkh: "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA",
} as const;

let server: Receiver;
let answer: [status: number, text: string];
let said: string[] = [];
const context = () => ({
  opened: { seed: SEED.slice(), installation: "00" },
  account: 0,
  say: (line: string) => said.push(line),
});

beforeAll(async () => {
  server = await startReceiver("127.0.0.1", 0, (response) =>
    response.writeHead(answer[0], { "content-type": "text/plain" }).end(answer[1]),
  );
});
afterAll(() => server.close());
beforeEach(() => {
  [answer, said] = [[200, "successfully authenticated"], []];
  server.received.length = 0;
});

function code({ age = 0, host = "127.0.0.1" } = {}): string {
  const time = Math.floor(Date.now() / 1000) - age;
  return `http://${host}:${server.port}/api/fastauth?sid=a_${time}&c=b_${time}&t=${time.toString(16)}`;
}

test.each(["p2wpkh", "p2sh-p2wpkh", "p2pkh"] as const)(
  "a fast code is answered at its own URL by a form whose signature verifies: %s",
  async (type) => {
    const url = code();
    const result = await answerFastCode(url, type, context());
    expect(result).toMatchObject({ ok: true, status: 200, address: ADDRESSES[type], address_type: type });
    const [delivery] = server.received;
    expect(delivery?.path).toBe(url.slice(url.indexOf("/api/")));
    expect(delivery?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    const fields = new URLSearchParams(delivery?.body.toString());
    const { msg = "", sig = "", addr = "", pubk } = Object.fromEntries(fields);
    expect([msg, addr, pubk]).toEqual([url, ADDRESSES[type], result.public_key]);
    expect(bitcoinMessage.verify(msg, addr, sig)).toBe(true);
    expect(said.join("\n")).toMatch(
      /^Host {5}127\.0\.0\.1:\d+\nAction {3}sign in with an address\nAddress {2}\w+\nLeft {5}\d+ of 120 s$/,
    );
  },
);

test.each([
  [400, "no challenge found", /run out or was used/],
  [401, "could not verify", /did not accept the signature/],
  [429, "Error: Too many requests", /Too many tries/],
] as const)("a %i is told with the service's words", async (status, text, advice) => {
  answer = [status, text];
  const result = await answerFastCode(code(), "p2wpkh", context());
  expect(result).toMatchObject({ ok: false, status, message: text });
  expect(result.advice).toMatch(advice);
});

test.each([
  ["older than two minutes", () => code({ age: 121 }), "challenge_expired"],
  ["from the future", () => code({ age: -60 }), "challenge_from_future"],
  ["that travels in clear text", () => code({ host: "192.0.2.1" }), "webhook_not_https"],
  ["of another flow", () => "svc://auth?webhook=x", "challenge"],
])("a code %s is refused, and nothing is said or sent", async (_what, make, reason) => {
  await expect(answerFastCode(make(), "p2wpkh", context())).rejects.toMatchObject({
    code: expect.stringMatching(reason === "challenge" ? /payload|challenge|webhook/ : reason),
  });
  expect([server.received, said]).toEqual([[], []]);
});
