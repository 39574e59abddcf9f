import { block, fail, type Rules, skip, startsEarly } from "../check.ts";
import { LIFETIME_SECONDS } from "../flow/codes.ts";
import type { WalletId } from "../texts/wallet.ts";
import { checkOf, HOSTILE_CODES } from "./hostile-codes.ts";
import {
  accept,
  type Responder,
  refuseWith,
  respondInTurn,
  sendJson,
  withHostileSite,
} from "./hostile-site.ts";
import {
  expectRefusal,
  findOuterAddress,
  firstLine,
  formatWebhookUrl,
  type OuterAddress,
  type Trial,
} from "./trial.ts";

/**
 * Section 7: which codes a wallet must refuse, to which hosts it must not send its answer, how it reacts to the site's
 * responses, and when it tries again or stops.
 */

/**
 * @param host the name at which the wallet reaches the kit
 * @param questions how many times the wallet may ask the site about the browser
 * @throws {CheckFailure} unless the wallet refuses all hostile codes of the check
 */
function refuses(check: string, host = "localhost", questions = 0) {
  return async (trial: Trial): Promise<void> => {
    // If the wallet could not reach the kit at all, a missing answer would prove nothing.
    await trial.answered();
    for (const { id, what, make } of HOSTILE_CODES) {
      if (checkOf({ id }) !== check || make(new URL(formatWebhookUrl({ port: 0 }, host))) === null) continue;
      expectRefusal(await trial.try({ host, make }), `a code with ${what}`, questions);
    }
  };
}

/** Users of many wallets have marked `localhost` as trusted, but not this host. */
const LISTENING = "127.0.0.1";

export const WEBHOOK_CHECKS = {
  "7-webhook-host": refuses("7-webhook-host", LISTENING),
  "7-webhook-credentials": refuses("7-webhook-credentials"),
  "7-webhook-disguised": refuses("7-webhook-disguised"),
  async "7-webhook-https"(trial) {
    await trial.answered();
    const name = await trial.outerName();
    const isRefused = ({ domain, address }: OuterAddress) =>
      withHostileSite({ address }, async (listener) => {
        const tried = await trial.try({ webhook: formatWebhookUrl(listener, domain), domain });
        expectRefusal({ ...tried, ...listener }, `a code with http to ${domain}, which others reach`);
      });
    if (name) await isRefused(name);
    const address = findOuterAddress();
    await isRefused({ domain: address, address });
    // A wallet that never accepts an IP address as a domain refuses the code for that reason.
    const local = await trial.try({ host: LISTENING, domain: LISTENING });
    if (!name && local.arrivals.length === 0)
      skip(
        "The wallet does not accept an IP address as a domain, and this machine does not have a name that other machines can reach.",
      );
  },
  async "7-redirect"(trial) {
    await trial.answered();
    for (const status of [301, 302, 303, 307, 308]) {
      await withHostileSite({}, async (otherSite) => {
        const Location = `http://localhost:${otherSite.port}/stolen`;
        const { exit } = await trial.try({
          answer: (response) => sendJson(response, status, {}, { Location }),
        });
        if (otherSite.arrivals.length > 0) fail(`The wallet follows a ${status}.`);
        if (exit.status === 0) fail(`The wallet treats a ${status} as success.`);
      });
    }
  },
} satisfies Rules<Trial, WalletId>;

/** For a wallet's command to start, ask about the browser and send its answer, even on a busy machine. */
const TIME_TO_BEGIN_SECONDS = 10;
/** A response that was sent in time can arrive this late on a busy machine. */
const TOLERANCE_SECONDS = 3;

/** For the third delay compared with the first. On a busy machine, even equal delays differ a little. */
const LEAST_GROWTH = 1.3;

const away = refuseWith(503, "Away.");

export const REFUSAL_CHECKS = {
  "7-expired": refuses("7-expired", "localhost", 1),
  "7-future": refuses("7-future", "localhost", 1),
  "7-parameter-twice": refuses("7-parameter-twice"),
  "7-no-challenge": refuses("7-no-challenge"),
  async "7-wrong-action"(trial) {
    if (!trial.knowsAction)
      skip("The command has no {action}, so the wallet does not know what its user wants.");
    await trial.answered();
    for (const [action, wanted] of [
      ["register", "login"],
      ["login", "register"],
    ] as const) {
      const result = await trial.try({ action, wanted });
      expectRefusal(result, `a ${action} code for a user who wants to ${wanted}`);
    }
  },
  async "7-only-200"(trial) {
    for (const status of [201, 202, 204, 400, 404, 406, 408]) {
      const empty: Responder = (response) => response.writeHead(status).end();
      const { exit } = await trial.answered({ answer: status === 204 ? empty : refuseWith(status, "No.") });
      if (exit.status === 0) fail(`The wallet treats a ${status} as success.`);
    }
  },
  async "7-says-why"(trial) {
    const message = "Register with this key on the site first.";
    const { exit } = await trial.answered({ answer: refuseWith(404, message) });
    if (!exit.output.includes(message)) fail(`The wallet prints instead: ${firstLine(exit)}`);
  },
  async "7-plain-text"(trial) {
    const message = "Refused\u001b[2J\u001b]0;owned\u0007 \u202eoverride";
    const { exit } = await trial.answered({ answer: refuseWith(404, message) });
    const found = ["\u001b[2J", "\u001b]0", "\u0007", "\u202e"].find((text) => exit.output.includes(text));
    if (found) fail(`The wallet prints ${JSON.stringify(found)} unchanged.`);
  },
  async "7-tries-again"(trial) {
    const dropConnection: Responder = (response) => void response.destroy();
    const answer = respondInTurn(dropConnection, away, accept);
    const { exit, arrivals } = await trial.answered({ answer });
    if (arrivals.length < 3) fail(`The wallet tries ${arrivals.length} times: ${firstLine(exit)}`);
    if (exit.status !== 0) fail(`The third try was accepted, but the wallet exits with ${exit.status}.`);
    if (new Set(arrivals.map(({ text }) => text)).size > 1)
      fail("The wallet sends other bytes the second time.");
  },
  "7-pauses-grow": startsEarly(async (trial) => {
    const { arrivals } = await trial.answered({ answer: respondInTurn(away, away, away, accept) });
    if (arrivals.length < 4) block("The wallet does not try often enough");
    const gaps = arrivals.slice(1, 4).map(({ at }, index) => at - (arrivals[index]?.at ?? at));
    if ((gaps[2] ?? 0) <= (gaps[0] ?? 0) * LEAST_GROWTH)
      fail(`The pauses are ${gaps.map((gap) => `${gap} ms`).join(", ")}.`);
  }),
  async "7-final"(trial) {
    const tryStatus = async (status: number) => {
      const { arrivals } = await trial.answered({ answer: refuseWith(status, "No."), listens: 1 });
      if (arrivals.length > 1) fail(`After a ${status} the wallet sends again.`);
    };
    await Promise.all([400, 404, 406, 408].map(tryStatus));
  },
  "7-not-after": startsEarly(async (trial) => {
    const age = LIFETIME_SECONDS - TIME_TO_BEGIN_SECONDS;
    const { arrivals, exit, challenge } = await trial.answered({ answer: away, age, listens: 4 });
    const end = (Number(challenge.split(":")[3]) + LIFETIME_SECONDS + TOLERANCE_SECONDS) * 1000;
    const late = arrivals.find(({ at }) => at > end);
    if (late)
      fail(
        `The wallet still sends ${Math.round((late.at - end) / 1000) + TOLERANCE_SECONDS} s after the challenge has ended.`,
      );
    if (exit.status === 0) fail("The wallet reports success.");
  }),
  "7-patient": startsEarly(async (trial) => {
    const answer: Responder = (...args) => void setTimeout(() => accept(...args), 5_000);
    const { arrivals, exit } = await trial.answered({ answer });
    if (arrivals.length > 1) fail(`The wallet sends ${arrivals.length} times.`);
    if (exit.status !== 0)
      fail(`The response was 200, but the wallet exits with ${exit.status}: ${firstLine(exit)}`);
  }),
} satisfies Rules<Trial, WalletId>;
