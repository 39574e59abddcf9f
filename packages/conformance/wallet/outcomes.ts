import { block, fail, type Rules, waits } from "../check.ts";
import type { WalletId } from "../texts/wallet.ts";
import { LIFETIME_SECONDS } from "./code.ts";
import { type Answering, accept, inTurn, refuseWith } from "./hostile-site.ts";
import { firstLine, type Trial } from "./trial.ts";

/** Section 7: the wallet's reaction to the site's answers, its retries, and when it stops. */

export const OUTCOME_CHECKS = {
  async "7-only-200"(trial) {
    for (const status of [201, 202, 204, 400, 404, 406, 408]) {
      const empty: Answering = (response) => response.writeHead(status).end();
      const { said } = await trial.answered({ answer: status === 204 ? empty : refuseWith(status, "No.") });
      if (said.status === 0) fail(`The wallet takes a ${status} for success.`);
    }
  },
  async "7-says-why"(trial) {
    const message = "Register with this key on the site first.";
    const { said } = await trial.answered({ answer: refuseWith(404, message) });
    if (!said.output.includes(message)) fail(`The wallet says instead: ${firstLine(said)}`);
  },
  async "7-plain-text"(trial) {
    const message = "Refused\u001b[2J\u001b]0;owned\u0007 \u202eoverride";
    const { said } = await trial.answered({ answer: refuseWith(404, message) });
    const found = ["\u001b[2J", "\u001b]0", "\u0007", "\u202e"].find((text) => said.output.includes(text));
    if (found) fail(`The wallet passes on ${JSON.stringify(found)}.`);
  },
} satisfies Rules<Trial, WalletId>;

/** Enough for a command to start, ask and send, even on a busy machine. */
const TIME_TO_BEGIN_SECONDS = 10;
/** A busy machine delivers late what was sent in time. */
const TOLERANCE_SECONDS = 3;

/** The third pause has to exceed the first by this factor: on a busy machine equal pauses differ too. */
const LEAST_GROWTH = 1.3;

const away = refuseWith(503, "Away.");

export const RETRY_CHECKS = {
  async "7-tries-again"(trial) {
    const lost: Answering = (response) => void response.destroy();
    const answer = inTurn(lost, away, accept);
    const { said, arrivals } = await trial.answered({ answer });
    if (arrivals.length < 3) fail(`The wallet tries ${arrivals.length} times: ${firstLine(said)}`);
    if (said.status !== 0) fail(`The third try was accepted, but the wallet exits with ${said.status}.`);
    if (new Set(arrivals.map(({ text }) => text)).size > 1)
      fail("The wallet sends other bytes the second time.");
  },
  "7-pauses-grow": waits(async (trial) => {
    const { arrivals } = await trial.answered({ answer: inTurn(away, away, away, accept) });
    if (arrivals.length < 4) block("The wallet does not try often enough.");
    const gaps = arrivals.slice(1, 4).map(({ at }, index) => at - (arrivals[index]?.at ?? at));
    if ((gaps[2] ?? 0) <= (gaps[0] ?? 0) * LEAST_GROWTH)
      fail(`The pauses are ${gaps.map((gap) => `${gap} ms`).join(", ")}.`);
  }),
  async "7-final"(trial) {
    const tried = async (status: number) => {
      const { arrivals } = await trial.answered({ answer: refuseWith(status, "No."), listens: 1 });
      if (arrivals.length > 1) fail(`After a ${status} the wallet sends again.`);
    };
    await Promise.all([400, 404, 406, 408].map(tried));
  },
  "7-not-after": waits(async (trial) => {
    const age = LIFETIME_SECONDS - TIME_TO_BEGIN_SECONDS;
    const { arrivals, said, challenge } = await trial.answered({ answer: away, age, listens: 4 });
    const end = (Number(challenge.split(":")[3]) + LIFETIME_SECONDS + TOLERANCE_SECONDS) * 1000;
    const late = arrivals.find(({ at }) => at > end);
    if (late)
      fail(
        `The wallet still sends ${Math.round((late.at - end) / 1000) + TOLERANCE_SECONDS} s after the challenge has ended.`,
      );
    if (said.status === 0) fail("The wallet says that all is well.");
  }),
  "7-patient": waits(async (trial) => {
    const answer: Answering = (...args) => void setTimeout(() => accept(...args), 5_000);
    const { arrivals, said } = await trial.answered({ answer });
    if (arrivals.length > 1) fail(`The wallet sends ${arrivals.length} times.`);
    if (said.status !== 0)
      fail(`The answer was 200, but the wallet exits with ${said.status}: ${firstLine(said)}`);
  }),
} satisfies Rules<Trial, WalletId>;
