import { secp256k1 } from "@noble/curves/secp256k1.js";
import { Blocked, type Check, fail, NotApplicable } from "../check.ts";
import { encodeDer } from "../server/der.ts";
import { type Answering, type Arrival, answerJson, makeChallenge, openHostileSite } from "./hostile-site.ts";
import { expectRefusal, firstLine, outerAddress, type Trial, webhookAt } from "./trial.ts";

/** Section 7: what a wallet answers, and what it must not. */

const LIFETIME_SECONDS = 30;
/** A busy machine delivers late what was sent in time. */
const TOLERANCE_SECONDS = 3;
/** Where the kit listens in these cases. Many wallets trust `localhost` by hand, and none this. */
const LISTENING = "127.0.0.1";
/** Domains that a careless comparison takes for it. */
const NEARLY: readonly [what: string, domain: string][] = [
  ["another domain", "shop.example"],
  ["the other name of this machine", "localhost"],
  ["a parent domain", "0.0.1"],
  ["a domain that the host ends with", "27.0.0.1"],
  ["a domain that begins with the host", "127.0.0.1.evil.example"],
  ["a domain that contains the host", "my-127.0.0.1-shop.example"],
  ["a name in punycode", "xn--lcalhost-6xa.example"],
];

type ResponseBody = Record<string, unknown>;

const bodyOf = ({ json }: Arrival) => (json ?? {}) as ResponseBody;

/** A check that a code is refused. */
function refuses(
  id: string,
  proves: string,
  cause: string,
  codes: (trial: Trial) => readonly [what: string, run: () => ReturnType<Trial["try"]>][],
): Check<Trial> {
  return {
    ...{ id, level: "MUST", proves, cause },
    async run(trial) {
      // Silence proves something only of a wallet that reaches us otherwise.
      await trial.answered();
      for (const [what, run] of codes(trial)) expectRefusal(await run(), what);
    },
  };
}

export const WALLET_CHECKS: readonly Check<Trial>[] = [
  {
    id: "7-answers",
    level: "MUST",
    proves: "The wallet answers a correct code once, by POST to the webhook, and says that it worked.",
    cause: "The command waits for a question, or does not end with 0: begin here.",
    async run(trial) {
      const { said, arrivals } = await trial.try((site) => ({ webhook: webhookAt(site) }));
      if (arrivals.length !== 1) fail(`${arrivals.length} requests arrive: ${firstLine(said)}`);
      const [{ method, path }] = arrivals as [Arrival];
      if (method !== "POST" || path !== "/webhook/login") fail(`The wallet sends ${method} ${path}.`);
      if (said.status !== 0)
        fail(`The site accepted, and the wallet ends with ${said.status}: ${firstLine(said)}`);
    },
  },
  {
    id: "1.5-sent",
    level: "MUST",
    proves: "What the wallet sends has the documented fields, with their types, as JSON.",
    cause: "A field has another name, or the timestamp is in milliseconds or a text.",
    async run(trial) {
      const { arrival, challenge } = await trial.answered();
      const body = bodyOf(arrival);
      if (!/^application\/json\b/.test(arrival.headers["content-type"] ?? ""))
        fail("The body is not application/json.");
      if (body.challenge !== challenge)
        fail(`The challenge comes back as ${JSON.stringify(body.challenge)}.`);
      if (!/^(04[0-9a-f]{128}|0[23][0-9a-f]{64})$/i.test(String(body.public_key)))
        fail(`The key is ${body.public_key}.`);
      const seconds = Number(body.timestamp);
      if (!Number.isInteger(body.timestamp) || Math.abs(seconds - arrival.at / 1000) > 10) {
        fail(`The timestamp is ${JSON.stringify(body.timestamp)}.`);
      }
      const { device_info: device = {} } = body as { device_info?: Record<string, unknown> };
      if (Object.values(device).some((value) => typeof value !== "string" || value.length > 200)) {
        fail(`device_info is ${JSON.stringify(device)}.`);
      }
    },
  },
  {
    id: "1.4-sent",
    level: "MUST",
    proves:
      "The signature is strict DER and verifies over SHA-256 of the challenge, hashed once, with the key that is sent.",
    cause: "The text is hashed twice, or the signature is raw or in base64.",
    async run(trial) {
      const { arrival, challenge } = await trial.answered();
      const { signature, public_key: key } = bodyOf(arrival);
      const bytes = Buffer.from(String(signature), "hex");
      let scalars: { r: bigint; s: bigint };
      try {
        scalars = secp256k1.Signature.fromBytes(bytes, "der");
      } catch {
        return fail(`The signature is no DER: ${signature}`);
      }
      if (!encodeDer(scalars).equals(bytes)) fail(`The signature is no strict DER: ${signature}`);
      const publicKey = Buffer.from(String(key), "hex");
      const options = { format: "der", lowS: false } as const;
      if (!secp256k1.verify(bytes, Buffer.from(challenge), publicKey, options))
        fail("The signature does not verify.");
    },
  },
  {
    id: "7-no-cookies",
    level: "MUST",
    proves: "The wallet sends no cookies, credentials or referrer with its answer.",
    cause: "The request is made by a browser's default settings.",
    async run(trial) {
      const { arrival } = await trial.answered();
      const sent = ["cookie", "authorization", "referer"].filter(
        (name) => arrival.headers[name] !== undefined,
      );
      if (sent.length > 0) fail(`The wallet sends ${sent.join(", ")}.`);
    },
  },
  {
    id: "7-one-key-per-domain",
    level: "MUST",
    proves: "The wallet uses one key for a domain, and another for another domain.",
    cause: "One key for everything, by which sites recognise their users together; or a new one every time.",
    async run(trial) {
      const first = bodyOf((await trial.answered()).arrival).public_key;
      const again = bodyOf((await trial.answered()).arrival).public_key;
      if (first !== again) fail("The same domain gets another key the second time.");
      const domain = "127.0.0.1";
      const other = await trial.try((site) => ({ webhook: webhookAt(site, domain), domain }));
      const [arrival] = other.arrivals;
      if (!arrival)
        throw new NotApplicable("The wallet does not answer for 127.0.0.1, which would be another domain.");
      if (bodyOf(arrival).public_key === first) fail("Two domains get the same key.");
    },
  },
  {
    id: "7-shows-domain",
    level: "MUST",
    proves: "The wallet shows the domain and what is asked before it sends anything.",
    cause: "The question is asked without the one thing that protects against a relayed code.",
    async run(trial) {
      const domain = "localhost";
      const { said } = await trial.answered();
      if (!said.output.includes(domain)) fail(`The domain is not shown: ${firstLine(said)}`);
      if (!/log.?in|sign.?in/i.test(said.output)) fail(`What is asked is not shown: ${firstLine(said)}`);
    },
  },
  {
    id: "1.2-unknown-parameter",
    level: "MUST",
    proves: "Parameters of a payload that the wallet does not know are ignored.",
    cause: "The payload is read strictly, so that newer sites are turned away.",
    async run(trial) {
      const more = [["colour", "blue"]] as const;
      const { arrivals, said } = await trial.try((site) => ({ webhook: webhookAt(site) }), {
        more: [[...more[0]]],
      });
      if (arrivals.length === 0) fail(`A code with an unknown parameter is refused: ${firstLine(said)}`);
    },
  },
  refuses(
    "7-webhook-host",
    "A webhook on another host than the challenge's domain is refused: nothing is sent.",
    "Hosts are compared by `endsWith`, `startsWith` or `includes`, or not at all.",
    (trial) =>
      NEARLY.map(([what, domain]) => [
        what,
        () => trial.try((site) => ({ webhook: webhookAt(site, LISTENING), domain })),
      ]),
  ),
  refuses(
    "7-webhook-credentials",
    "A webhook with user name or password is refused.",
    "The host is read from the text in front of the first slash.",
    (trial) => [
      ["a password", () => trial.try((site) => ({ webhook: webhookAt(site, "shop:secret@localhost") }))],
      [
        "a domain as user name",
        () =>
          trial.try((site) => ({
            webhook: webhookAt(site, "shop.example@localhost"),
            domain: "shop.example",
          })),
      ],
    ],
  ),
  refuses(
    "7-webhook-disguised",
    "A webhook whose host is written in disguise is refused.",
    "The URL parser turns the host into another text than the one that was shown.",
    (trial) => [
      [
        "a hexadecimal address",
        () => trial.try((site) => ({ webhook: webhookAt(site, "0x7f.1"), domain: "127.0.0.1" })),
      ],
      [
        "an address as one number",
        () => trial.try((site) => ({ webhook: webhookAt(site, "2130706433"), domain: "127.0.0.1" })),
      ],
      ["a dot behind the host", () => trial.try((site) => ({ webhook: webhookAt(site, "localhost.") }))],
      ["percent-encoding", () => trial.try((site) => ({ webhook: webhookAt(site, "%6cocalhost") }))],
    ],
  ),
  {
    id: "7-webhook-https",
    level: "MUST",
    proves: "A webhook over http is refused, except on this very machine.",
    cause: "The scheme is not looked at, so the answer travels in clear text.",
    async run(trial) {
      const domain = outerAddress();
      await trial.answered();
      const listener = await openHostileSite(undefined, domain);
      try {
        const tried = await trial.try(() => ({ webhook: webhookAt(listener, domain), domain }));
        expectRefusal({ ...tried, arrivals: listener.arrivals }, "http to an address that others reach");
      } finally {
        listener.close();
      }
    },
  },
  {
    id: "7-redirect",
    level: "MUST",
    proves: "The wallet follows no redirect, and does not take one for success.",
    cause: 'The HTTP client follows redirects by default: `redirect: "manual"` or its like is missing.',
    async run(trial) {
      await trial.answered();
      for (const status of [301, 302, 303, 307, 308]) {
        const elsewhere = await openHostileSite();
        try {
          const answer: Answering = (response) =>
            answerJson(response, status, {}, { Location: `http://localhost:${elsewhere.port}/stolen` });
          const { said } = await trial.try((site) => ({ webhook: webhookAt(site) }), { answer });
          if (elsewhere.arrivals.length > 0) fail(`The wallet follows a ${status}.`);
          if (said.status === 0) fail(`The wallet takes a ${status} for success.`);
        } finally {
          elsewhere.close();
        }
      }
    },
  },
  refuses(
    "7-expired",
    "A challenge that is older than 30 seconds is refused.",
    "The timestamp is not compared with the clock, or `ts` is, which nobody signs.",
    (trial) => [
      ["a minute old", () => trial.try((site) => ({ webhook: webhookAt(site), age: 60 }))],
      [
        "a minute old, with a fresh ts",
        () =>
          trial.try((site) => ({
            webhook: webhookAt(site),
            age: 60,
            ts: String(Math.floor(Date.now() / 1000)),
          })),
      ],
    ],
  ),
  refuses(
    "7-future",
    "A challenge from the future is refused.",
    "Only the age is compared, and a negative one is young.",
    (trial) => [["two minutes ahead", () => trial.try((site) => ({ webhook: webhookAt(site), age: -120 }))]],
  ),
  refuses(
    "7-parameter-twice",
    "A payload that names a parameter twice is refused.",
    "One of the two is shown, and the other is answered.",
    (trial) => [
      [
        "two webhooks",
        () =>
          trial.try((site) => ({ webhook: webhookAt(site) }), {
            more: [["webhook", "https://shop.example/"]],
          }),
      ],
      [
        "two challenges",
        () =>
          trial.try((site) => ({ webhook: webhookAt(site) }), { more: [["challenge", makeChallenge({})]] }),
      ],
      [
        "two sessions",
        () => trial.try((site) => ({ webhook: webhookAt(site) }), { more: [["session", "other"]] }),
      ],
    ],
  ),
  refuses(
    "7-no-challenge",
    "The wallet signs nothing but a challenge: every other text is refused.",
    "The text is signed as it comes, so that any site gets a signature over whatever it likes.",
    (trial) => {
      const nearly = [
        (text: string) => `${text}A`,
        (text: string) => text.slice(0, -1),
        (text: string) => text.replace("svc:login", "svc:pay"),
        (text: string) => text.replace("svc:", "SVC:"),
        (text: string) => text.replace("localhost", "LOCALHOST"),
        (text: string) => text.replace(/:(\d+):/, ":0$1:"),
        (text: string) => `${text}:more`,
        () => "I owe you 100 coins",
      ];
      return nearly.map((change) => {
        const challenge = change(makeChallenge({}));
        return [
          challenge,
          () =>
            trial.try((site) => ({
              webhook: webhookAt(site),
              challenge,
              ts: challenge.split(":")[3] ?? "1",
            })),
        ];
      });
    },
  ),
  {
    id: "7-wrong-action",
    level: "MUST",
    proves: "A register code is refused where the user wants to log in, and the other way round.",
    cause: "The action is shown, and not compared with what was asked for.",
    async run(trial) {
      if (!trial.knowsAction)
        throw new NotApplicable("The command has no {action}, so it cannot be told what is wanted.");
      await trial.answered();
      for (const [action, wanted] of [
        ["register", "login"],
        ["login", "register"],
      ] as const) {
        const tried = await trial.try((site) => ({ webhook: webhookAt(site), action }), { wanted });
        expectRefusal(tried, `a ${action} code for somebody who wants to ${wanted}`);
      }
    },
  },
  {
    id: "7-only-200",
    level: "MUST",
    proves: "Only 200 is success.",
    cause: "Any 2xx counts, or only whether an answer came.",
    async run(trial) {
      for (const status of [201, 202, 204, 400, 404, 406, 408]) {
        const answer: Answering = (response) =>
          status === 204
            ? response.writeHead(204).end()
            : answerJson(response, status, errorBody(status, "No."));
        const { said } = await trial.answered({ answer });
        if (said.status === 0) fail(`The wallet takes a ${status} for success.`);
      }
    },
  },
  {
    id: "7-says-why",
    level: "SHOULD",
    proves: "The wallet says what the site said when it is turned away.",
    cause: "The answer's body is not read, so its user does not learn what to do.",
    async run(trial) {
      const message = "Register with this key on the site first.";
      const { said } = await trial.answered({
        answer: (response) => answerJson(response, 404, errorBody(404, message)),
      });
      if (!said.output.includes(message)) fail(`The wallet says instead: ${firstLine(said)}`);
    },
  },
  {
    id: "7-plain-text",
    level: "MUST",
    proves: "The wallet shows a site's words without control and bidi characters.",
    cause:
      "The message goes to the terminal or the page as it came, so that a site can rewrite what the wallet says.",
    async run(trial) {
      const message = "Refused\u001b[2J\u001b]0;owned\u0007 \u202eoverride";
      const { said } = await trial.answered({
        answer: (response) => answerJson(response, 404, errorBody(404, message)),
      });
      const found = ["\u001b[2J", "\u001b]0", "\u0007", "\u202e"].find((text) => said.output.includes(text));
      if (found) fail(`The wallet passes on ${JSON.stringify(found)}.`);
    },
  },
  {
    id: "7-tries-again",
    level: "MUST",
    proves: "After a 5xx or a lost connection the wallet sends the same bytes again.",
    cause: "The first failure ends the attempt, or the answer is signed anew.",
    async run(trial) {
      const answer: Answering = (response, _arrival, index) => {
        if (index === 0) response.destroy();
        else if (index === 1) answerJson(response, 503, errorBody(503, "Away."));
        else answerJson(response, 200, { status: "authenticated" });
      };
      const { said, arrivals } = await trial.answered({ answer });
      if (arrivals.length < 3) fail(`The wallet tries ${arrivals.length} times: ${firstLine(said)}`);
      if (said.status !== 0) fail(`The third try was accepted, and the wallet ends with ${said.status}.`);
      if (new Set(arrivals.map(({ text }) => text)).size > 1)
        fail("The wallet sends other bytes the second time.");
    },
  },
  {
    id: "7-pauses-grow",
    level: "SHOULD",
    proves: "The wallet pauses longer before each further try.",
    cause: "A fixed pause, with which all wallets together keep a site down.",
    waits: true,
    async run(trial) {
      const answer: Answering = (response, _arrival, index) =>
        index < 3
          ? answerJson(response, 503, errorBody(503, "Away."))
          : answerJson(response, 200, { status: "authenticated" });
      const { arrivals } = await trial.answered({ answer });
      if (arrivals.length < 4) throw new Blocked("The wallet does not try often enough.");
      const gaps = arrivals.slice(1, 4).map(({ at }, index) => at - (arrivals[index]?.at ?? at));
      if ((gaps[2] ?? 0) <= (gaps[0] ?? 0))
        fail(`The pauses are ${gaps.map((gap) => `${gap} ms`).join(", ")}.`);
    },
  },
  {
    id: "7-final",
    level: "MUST",
    proves: "A 4xx is final: the wallet does not send again.",
    cause: "Every failure is tried again.",
    async run(trial) {
      for (const status of [400, 404, 406, 408]) {
        const answer: Answering = (response) => answerJson(response, status, errorBody(status, "No."));
        const { arrivals } = await trial.answered({ answer, listens: 1 });
        if (arrivals.length > 1) fail(`After a ${status} the wallet sends again.`);
      }
    },
  },
  {
    id: "7-not-after",
    level: "MUST",
    proves: "The wallet tries only while the challenge lives.",
    cause: "A fixed number of tries, whatever the time.",
    waits: true,
    async run(trial) {
      const age = LIFETIME_SECONDS / 2;
      const answer: Answering = (response) => answerJson(response, 503, errorBody(503, "Away."));
      const { arrivals, said, challenge } = await trial.answered({ answer, age, listens: 4 });
      const end = (Number(challenge.split(":")[3]) + LIFETIME_SECONDS + TOLERANCE_SECONDS) * 1000;
      const late = arrivals.find(({ at }) => at > end);
      if (late)
        fail(
          `The wallet still sends ${Math.round((late.at - end) / 1000) + TOLERANCE_SECONDS} s after the challenge has ended.`,
        );
      if (said.status === 0) fail("The wallet says that all is well.");
    },
  },
  {
    id: "7-patient",
    level: "MUST",
    proves: "The wallet waits for an answer that takes five seconds, and sends once.",
    cause: "The request is given up too early, and sent again while the first is being judged.",
    waits: true,
    async run(trial) {
      const answer: Answering = (response) => {
        setTimeout(() => answerJson(response, 200, { status: "authenticated" }), 5_000);
      };
      const { arrivals, said } = await trial.answered({ answer });
      if (arrivals.length > 1) fail(`The wallet sends ${arrivals.length} times.`);
      if (said.status !== 0)
        fail(`The answer was 200, and the wallet ends with ${said.status}: ${firstLine(said)}`);
    },
  },
];

const CODES: Record<number, string> = {
  400: "invalid_request",
  404: "user_not_found",
  406: "invalid_signature",
  408: "challenge_expired",
};

function errorBody(status: number, message: string) {
  return { error: { code: CODES[status] ?? "service_unavailable", message, details: {} } };
}
