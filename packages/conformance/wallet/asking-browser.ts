import type { ServerResponse } from "node:http";
import { block, fail, type Rules, skip, startsEarly } from "../check.ts";
import { expectEqual } from "../expect-status.ts";
import { LIFETIME_SECONDS } from "../flow/codes.ts";
import type { WalletId } from "../texts/wallet.ts";
import type { CodeParts } from "./code.ts";
import {
  type Arrival,
  queryOf,
  type Responder,
  refuseWith,
  sendJson,
  withHostileSite,
} from "./hostile-site.ts";
import { expectNoIdentifyingHeaders } from "./sent-answers.ts";
import { type CodeTrial, expectRefusal, firstLine, type Trial } from "./trial.ts";

/** Section 11: how a wallet asks which browser requested a code before it signs, and how it uses the undo URL. */

/** Too large: a description needs less than eight kilobytes. */
const LARGE_BYTES = 1024 * 1024;
/** A code is valid for thirty seconds, so the wait for the description must be much shorter. */
const PATIENCE_SECONDS = 8;
/** The kit then closes a connection on which it has sent no response. */
const HANGS_SECONDS = 12;
/** A wallet must not show these characters. */
const HOSTILE_NAME = "Firefox\u001b[2J\u0007\u202e on Linux";
const HOSTILE_PARTS = ["\u001b[2J", "\u0007", "\u202e"];

function describeAsked(arrival: Arrival, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const [, action, domain, seconds] = (queryOf(arrival).get("c") ?? "").split(":");
  const at = (later: number) => new Date((Number(seconds) + later) * 1000).toISOString();
  return {
    ...{ domain, action, intent: null, asked_at: at(0), expires_at: at(LIFETIME_SECONDS) },
    ...{ browser: { name: "Firefox on Linux" }, network: "same", ...changes },
  };
}

const withDescription =
  (changes: Record<string, unknown> = {}): Responder =>
  (response, arrival) => {
    const isCode = /^svc:\w+:[^:]+:\d{10}:/.test(queryOf(arrival).get("c") ?? "");
    if (isCode) sendJson(response, 200, describeAsked(arrival, changes), ANY_ORIGIN);
    else unknownCode(response, arrival, 0);
  };

const ANY_ORIGIN = { "Access-Control-Allow-Origin": "*" };
const unknownCode = refuseWith(408, "The challenge has expired.", ANY_ORIGIN);

/**
 * If the wallet asks about the browser, the site responds with `question`.
 * @throws {NotApplicableError} if the wallet does not ask
 */
async function show(
  trial: Trial,
  question: Responder = withDescription(),
  parts: Partial<CodeParts> = {},
): Promise<CodeTrial & { asked: Arrival }> {
  const result = await trial.try({ ...parts, question });
  const [first] = result.questions;
  if (!first) skip("The wallet does not ask the site about the asking browser, which is optional.");
  return { ...result, asked: first };
}

/**
 * If the wallet answered no code at all, a missing answer would prove nothing.
 * @throws {NotApplicableError} if the wallet does not ask about the browser; {BlockedError} if it asks but does not
 * answer
 */
async function requireAnswer(trial: Trial): Promise<void> {
  const { arrivals, exit } = await show(trial);
  if (arrivals.length === 0) block("The wallet does not answer a correct code", firstLine(exit), "7-answers");
}

function expectAnswered({ arrivals, exit }: CodeTrial, what: string): void {
  if (arrivals.length === 0) fail(`After ${what} the wallet does not send its response: ${firstLine(exit)}`);
  if (exit.status !== 0) fail(`After ${what} and a 200 the wallet exits with ${exit.status}.`);
}

const sendText = (type: string, text: string) => (response: ServerResponse) =>
  void response.writeHead(200, { "Content-Type": type, ...ANY_ORIGIN }).end(text);

/** From sites that do not describe the browser, or that describe it in a wrong format. */
const UNDESCRIBED: readonly (readonly [what: string, question: Responder])[] = [
  ["a 404", refuseWith(404, "Not found.")],
  ["a 405", (response) => sendJson(response, 405, {})],
  ["a 500", (response) => sendJson(response, 500, {})],
  ["an HTML page", sendText("text/html", "<h1>Open in a wallet</h1>")],
  ["a malformed JSON description", sendText("application/json", "{")],
  ["null", sendText("application/json", "null")],
  [
    "a JSON description with values of other types",
    (response) => sendJson(response, 200, { domain: 1, intent: {}, browser: [null], network: 5 }),
  ],
  ["a description without a browser's name", withDescription({ browser: {} })],
  ["a response of a megabyte", withDescription({ more: "x".repeat(LARGE_BYTES) })],
  ["a closed connection", (response) => void response.destroy()],
];

/** @param undo the undo URL */
const signedIn =
  (undo: (port: number) => unknown, changes: Record<string, unknown> = {}): Responder =>
  (response) => {
    const port = response.socket?.localPort ?? 0;
    const browser = { name: "Firefox on Linux" };
    sendJson(
      response,
      200,
      { status: "authenticated", browser, new_browser: true, undo: undo(port), ...changes },
      ANY_ORIGIN,
    );
  };

const WORD = "Kq3vJ9mT2xWc7RzLb5NdYg";
const undoAt = (port: number, host = "localhost") => `http://${host}:${port}/webhook/undo?s=kit&t=${WORD}`;

export const ASKING_BROWSER_CHECKS = {
  async "11.1-asks"(trial) {
    const { asked: question, challenge, questions } = await show(trial);
    expectEqual(question.path.split("?")[0], "/webhook/login", "The path of the GET");
    expectEqual(queryOf(question).get("c"), challenge, "The challenge in the GET");
    expectEqual(question.headers.accept, "application/json", "The `Accept` header of the GET");
    if (questions.length > 1) fail(`The wallet sends the GET ${questions.length} times.`);
  },
  async "11.1-asks-privately"(trial) {
    expectNoIdentifyingHeaders((await show(trial)).asked);
  },
  async "11.1-asks-first"(trial) {
    const { asked: question, arrivals } = await show(trial);
    if (arrivals[0] && arrivals[0].at < question.at)
      fail("The wallet asks about the browser only after it has responded.");
  },
  async "11.1-untold"(trial) {
    await requireAnswer(trial);
    for (const [what, question] of UNDESCRIBED) expectAnswered(await show(trial, question), what);
  },
  "11.1-untold-in-time": startsEarly(async (trial) => {
    await requireAnswer(trial);
    const hang = (response: ServerResponse) =>
      void setTimeout(() => response.destroy(), HANGS_SECONDS * 1000).unref();
    const tryQuestion = async ([what, question]: readonly [string, Responder]) => {
      const shown = await show(trial, question);
      expectAnswered(shown, what);
      const seconds = ((shown.arrivals[0]?.at ?? 0) - shown.asked.at) / 1000;
      if (seconds > PATIENCE_SECONDS) fail(`After ${what} the wallet waits ${Math.round(seconds)} s.`);
    };
    const silent: readonly (readonly [string, Responder])[] = [
      ["a connection without a response", hang],
      [
        "a response that never ends",
        (response) => {
          response.writeHead(200, { "Content-Type": "application/json", ...ANY_ORIGIN }).write("{");
          hang(response);
        },
      ],
    ];
    await Promise.all(silent.map(tryQuestion));
  }),
  "11.1-asks-nobody-else": (trial) =>
    withHostileSite({}, async (otherSite) => {
      const Location = `http://localhost:${otherSite.port}/elsewhere`;
      const shown = await show(trial, (response) => sendJson(response, 302, {}, { Location, ...ANY_ORIGIN }));
      if (otherSite.arrivals.length + otherSite.questions.length > 0) fail("The wallet follows a 302.");
      expectAnswered(shown, "a redirect");
    }),
  async "11.1-intent-differs"(trial) {
    await requireAnswer(trial);
    expectRefusal(
      await show(trial, withDescription({ intent: "add" })),
      "a code whose intent was dropped on its way",
      1,
    );
    const changed = await show(trial, withDescription({ intent: null }), { intent: "approve" });
    expectRefusal(changed, "a code to which an intent was added on its way", 1);
  },
  async "11.1-plain-name"(trial) {
    const browser = { name: HOSTILE_NAME };
    const before = await show(trial, withDescription({ browser }));
    const after = await trial.answered({ answer: signedIn(undoAt, { browser }) });
    const output = before.exit.output + after.exit.output;
    const found = HOSTILE_PARTS.find((part) => output.includes(part));
    if (found) fail(`The wallet prints ${JSON.stringify(found)} unchanged.`);
  },
  async "11.2-takes-any-answer"(trial) {
    await trial.answered();
    for (const answer of [
      signedIn(undoAt),
      signedIn(() => "javascript:alert(1)", { browser: null, new_browser: "yes" }),
      signedIn(() => 5, { browser: "Firefox" }),
      signedIn(undoAt, { colour: "blue", more: { of: [null] } }),
    ])
      expectAnswered(await trial.answered({ answer }), "a 200 with a browser and other members");
  },
  async "11.2-undoes-nothing"(trial) {
    const { arrivals, questions } = await trial.answered({ answer: signedIn(undoAt), listens: 1 });
    const undone = [...arrivals, ...questions].find(({ path }) => path.startsWith("/webhook/undo"));
    if (undone) fail(`The wallet sends ${undone.method} to the undo URL without being asked.`);
  },
  async "11.2-undo-elsewhere"(trial) {
    const { exit } = await trial.answered({ answer: signedIn(undoAt) });
    if (!exit.output.includes(WORD)) skip("The wallet does not show the undo URL.");
    for (const undo of [
      (port: number) => undoAt(port, "127.0.0.1"),
      (port: number) => undoAt(port + 1),
      (port: number) => undoAt(port, "localhost.evil.example"),
      (port: number) => undoAt(port, "shop:secret@localhost"),
    ]) {
      const { exit: reply } = await trial.answered({ answer: signedIn(undo) });
      if (reply.output.includes(WORD)) fail(`The wallet offers ${undo(1)}.`);
    }
  },
} satisfies Rules<Trial, WalletId>;
