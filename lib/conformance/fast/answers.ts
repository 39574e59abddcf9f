import { type Check, fail } from "../check.ts";
import type { Answer } from "../http-client.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import { changed, type FastRun, type FastSite, pathOf } from "./site.ts";

/** Sections 2 and 6: the words and the headers of every answer. */

const FOREIGN = { Origin: "https://wallet.example" };
const ALLOW_ORIGIN = "access-control-allow-origin";

/** The words that answers of the webhook begin with. */
const WORDS: Record<number, RegExp> = {
  200: /^successfully authenticated/i,
  400: /^(no challenge found|Error:)/i,
  401: /^could not verify/i,
  500: /^Error:/,
};

/** What no answer tells: a stack, a path of the server, SQL or the names of what it is made of. */
const INNER = [
  /\n\s+at \S+/,
  /node_modules|\.next\/|\/(usr|home|var|srv|app|opt|work)\/\w+/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.+\b(FROM|VALUES|SET|WHERE)\b/i,
  /\b(PrismaClient\w*|SQLITE_\w+|ECONNREFUSED|TypeError|ReferenceError|RangeError|SyntaxError)\b/,
  /\b(Cannot read propert|is not a function|is not iterable|Unexpected token|Invalid checksum|Invalid signature length)/,
];

type Answered = FastRun["answers"][number];

const pathOfRequest = ({ request }: Answered) => request.path.split("?")[0] ?? "";

/** The answers of the flow's own endpoints. */
export function ownAnswers({ run, target }: Pick<FastSite, "run" | "target">): readonly Answered[] {
  const own = [target.qr, target.check, target.webhook];
  return run.answers.filter((each) => own.includes(pathOfRequest(each)) && !each.request.hostile);
}

/** The answers to wallets. A GET that asks for a page is a browser's. */
function webhookAnswers(site: FastSite): readonly Answered[] {
  return ownAnswers(site).filter(
    (each) => pathOfRequest(each) === site.target.webhook && !each.request.headers?.Accept && isRead(each),
  );
}

const isRead = ({ request: { method = "GET" } }: Answered) => method === "GET" || method === "POST";

/** Makes sure that there is something to judge where a check runs alone. */
async function provoke(site: FastSite): Promise<void> {
  if (webhookAnswers(site).some(({ answer }) => answer.status === 401)) return;
  const code = await site.issue();
  const wallet = new BitcoinWallet();
  await site.respond(code, wallet, { sig: "" });
  await site.postForm(pathOf(changed(code, { c: "x" })), wallet.fields(code.qr));
  await site.respond(code, wallet);
  await site.http.send({ path: site.target.check });
  await site.check(code.sid);
}

const isText = ({ headers }: Answer) => /^text\/plain\b/.test(headers["content-type"] ?? "");

export const FAST_ANSWER_CHECKS: readonly Check<FastSite>[] = [
  {
    id: "6.2-words",
    level: "MUST",
    proves:
      "Answers are plain text that begins with the words of their status: authenticated 200, no challenge 400, not verified 401.",
    cause: "JSON or HTML by the framework's default, or one text for every refusal.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      for (const { answer } of webhookAnswers(site)) {
        const words = WORDS[answer.status];
        if (!words) continue;
        if (!isText(answer))
          fail(
            `The ${answer.status} of ${answer.name} is ${answer.headers["content-type"] ?? "of no type"}.`,
          );
        if (!words.test(answer.text))
          fail(`The ${answer.status} of ${answer.name} says ${JSON.stringify(answer.text.slice(0, 80))}.`);
      }
    },
  },
  {
    id: "6.2-server-fault",
    level: "MUST",
    proves: "Nothing that this run has sent made the site fail: no answer was a 5xx.",
    cause: "A library throws at malformed input, and nobody catches it: look at the exchange.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      const [first, ...others] = site.run.answers.filter(({ answer }) => answer.status >= 500);
      if (!first) return;
      const sent = String(first.request.body ?? "").slice(0, 200);
      fail(
        `${first.answer.name} answers ${first.answer.status} ${sent && `to ${sent}`} (${others.length + 1} in all).`,
      );
    },
  },
  {
    id: "6.2-tells-nothing-inner",
    level: "MUST",
    proves: "No answer holds a stack, SQL, a path of the server, or a library's exception.",
    cause: "The message of an exception behind `Error:`, as the specification's short form suggests.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      for (const { answer } of ownAnswers(site)) {
        if (answer.status < 400 || /^text\/html\b/.test(answer.headers["content-type"] ?? "")) continue;
        const found = INNER.find((pattern) => pattern.test(answer.text));
        if (found)
          fail(
            `${answer.name} answers ${answer.status} with ${JSON.stringify(found.exec(answer.text)?.[0])}.`,
          );
      }
    },
  },
  {
    id: "6-other-errors",
    level: "MUST",
    proves:
      "Every other refusal is plain text that begins with `Error:`: a wrong method, which names `Allow`, and no sid.",
    cause: "The framework's own answer has no body, or is HTML.",
    async run(site) {
      const { qr, check, webhook } = site.target;
      const refused = [
        [405, await site.http.send({ method: "DELETE", path: webhook })],
        [405, await site.http.send({ method: "POST", path: qr })],
        [405, await site.http.send({ method: "PUT", path: check })],
        [400, await site.http.send({ path: check })],
      ] as const;
      for (const [status, answer] of refused) {
        if (answer.status !== status) fail(`${answer.name} answers ${answer.status} instead of ${status}.`);
        if (!isText(answer) || !/^Error: /.test(answer.text))
          fail(`The ${answer.status} of ${answer.name} says ${JSON.stringify(answer.text.slice(0, 80))}.`);
        if (status === 405 && !answer.headers.allow) fail(`${answer.name} is answered 405 without Allow.`);
      }
    },
  },
  {
    id: "6-no-store",
    level: "MUST",
    proves: "No answer of a fast login may be stored: each says `Cache-Control: no-store`, refusals too.",
    cause: "The framework's default lets a proxy keep codes and statuses.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      for (const { answer, request } of ownAnswers(site)) {
        const said = answer.headers["cache-control"] ?? "";
        if (request.method === "OPTIONS" || /\bno-store\b/.test(said)) continue;
        fail(`The ${answer.status} of ${answer.name} says Cache-Control: ${said || "nothing"}.`);
      }
    },
  },
  {
    id: "6-request-id",
    level: "MUST",
    proves: "Every answer of a fast login carries an `X-Request-Id` of its own.",
    cause: "Only successful answers carry it, or it is made once a process.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      const seen = new Set<string>();
      for (const { answer } of ownAnswers(site)) {
        const id = answer.headers["x-request-id"];
        if (!id) fail(`The ${answer.status} of ${answer.name} carries no X-Request-Id.`);
        if (seen.has(id)) fail(`Two answers carry the X-Request-Id ${id}.`);
        seen.add(id);
      }
    },
  },
  {
    id: "6-cors-wallets",
    level: "MUST",
    proves:
      "Any origin may read the answer to a wallet, refusals too: `Access-Control-Allow-Origin: *`, without credentials.",
    cause:
      "The header is set where the handler succeeds, so a wallet in a browser cannot read why it was refused.",
    looksBack: true,
    async run(site) {
      await provoke(site);
      for (const { answer } of webhookAnswers(site)) {
        const allowed = answer.headers[ALLOW_ORIGIN];
        if (allowed !== "*")
          fail(`The ${answer.status} of ${answer.name} allows the origin ${allowed ?? "of nobody"}.`);
      }
      for (const { answer } of site.run.answers) {
        if (answer.headers["access-control-allow-credentials"] !== undefined)
          fail(`${answer.name} allows credentials.`);
      }
    },
  },
  {
    id: "6-cors-preflight",
    level: "MUST",
    proves: "A wallet in a browser may post JSON: the preflight allows POST and `Content-Type`.",
    cause: "OPTIONS is answered by the framework, without the headers.",
    async run(site) {
      const answer = await site.http.send({
        method: "OPTIONS",
        path: site.target.webhook,
        headers: {
          ...FOREIGN,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "content-type",
        },
      });
      const { headers, status } = answer;
      if (status !== 200 && status !== 204) fail(`A preflight is answered ${status}.`);
      if (headers[ALLOW_ORIGIN] !== "*")
        fail(`The preflight allows the origin ${headers[ALLOW_ORIGIN] ?? "of nobody"}.`);
      if (!/\bPOST\b/.test(headers["access-control-allow-methods"] ?? ""))
        fail("The preflight does not allow POST.");
      if (!/\bcontent-type\b/i.test(headers["access-control-allow-headers"] ?? ""))
        fail("The preflight does not allow Content-Type.");
    },
  },
  {
    id: "6-cors-elsewhere",
    level: "MUST",
    proves: "No other path of a fast login lets another origin read it: neither code nor status.",
    cause: "CORS is switched on for the whole site, so that any page reads codes and statuses.",
    async run(site) {
      const browser = site.browser();
      const { sid } = await site.issue(browser);
      const { qr, check, dashboard } = site.target;
      for (const path of [qr, `${check}?${new URLSearchParams({ sid })}`, dashboard]) {
        const answer = await browser.send({ path, headers: FOREIGN });
        const allowed = answer.headers[ALLOW_ORIGIN];
        if (allowed !== undefined) fail(`${answer.name} allows the origin ${allowed}.`);
      }
    },
  },
];
