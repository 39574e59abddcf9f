import { fail, type Rules, skip } from "../check.ts";
import { bodyOf, membersOf } from "../http-client.ts";
import type { WalletId } from "../texts/wallet.ts";
import { UNKNOWN_PARAMETER } from "./code.ts";
import type { Arrival } from "./hostile-site.ts";
import { expectFields, expectNoTraces, expectShownIntent, expectSignature } from "./response-format.ts";
import { answeredElsewhere, firstLine, type Trial, webhookAt } from "./trial.ts";

/** Sections 1.2, 1.4, 1.5, 3.6 and 7: the wallet's response to a correct code, and what it shows before. */

/** The key of the test vectors (docs/wallet.md#vectors) for `localhost`, account 0. */
const KEY_AT_LOCALHOST =
  "04792fe19c02a99159d5249fbdbc5f60f0586b8ac78249b98a633900c71b583c87aa708cb2bed6a0fceefab969a6737c3ca8f662e832546963855330d9e10eddd9";
/** The same key, compressed: its y is odd. */
const COMPRESSED_AT_LOCALHOST = `03${KEY_AT_LOCALHOST.slice(2, 66)}`;

const ofResponse = (examine: (arrival: Arrival, challenge: string) => void) => async (trial: Trial) => {
  const { arrival, challenge } = await trial.answered();
  examine(arrival, challenge);
};

export const SENT_ANSWER_CHECKS = {
  async "7-answers"(trial) {
    const { said, arrivals } = await trial.try((site) => ({ webhook: webhookAt(site) }));
    if (arrivals.length !== 1) fail(`${arrivals.length} requests arrive: ${firstLine(said)}`);
    const [{ method, path }] = arrivals as [Arrival];
    if (method !== "POST" || path !== "/webhook/login")
      fail(`The wallet sends ${method} ${path} instead of POST /webhook/login.`);
    if (said.status !== 0)
      fail(`The site accepted, but the wallet exits with ${said.status}: ${firstLine(said)}`);
  },
  "1.5-sent": ofResponse(expectFields),
  "1.4-sent": ofResponse(expectSignature),
  async "3.6-shown-none"(trial) {
    expectShownIntent((await trial.answered()).arrival, undefined);
    expectShownIntent((await trial.answered({ action: "register" })).arrival, undefined);
    // A wallet that does not know an intent shows a login, or refuses the code.
    const more = [["intent", "steal"]] as const;
    const { arrivals } = await trial.try((site) => ({ webhook: webhookAt(site), more }));
    if (arrivals[0]) expectShownIntent(arrivals[0], undefined);
  },
  async "3.6-shown"(trial) {
    let answered = 0;
    for (const intent of ["add", "approve", "recover"] as const) {
      const action = intent === "recover" ? "register" : "login";
      const { arrivals } = await trial.try((site) => ({ webhook: webhookAt(site), action, intent }));
      // A wallet may refuse an intent that it does not offer.
      if (!arrivals[0]) continue;
      answered++;
      expectShownIntent(arrivals[0], intent);
    }
    if (answered === 0) skip("The wallet answers no code with an intent.");
  },
  "7-no-cookies": ofResponse(expectNoTraces),
  async "7-one-key-per-domain"(trial) {
    const first = bodyOf((await trial.answered()).arrival).public_key;
    const again = bodyOf((await trial.answered()).arrival).public_key;
    if (first !== again) fail(`The same domain gets the key ${first} and then ${again}.`);
    const { domain, arrival } = await answeredElsewhere(trial);
    if (bodyOf(arrival).public_key === first) fail(`localhost and ${domain} get the same key, ${first}.`);
  },
  async "7-device-per-domain"(trial) {
    const idOf = (arrival: Arrival) => membersOf(bodyOf(arrival).device_info).device_id;
    const first = idOf((await trial.answered()).arrival);
    if (first === undefined) skip("The wallet does not send a device_id.");
    const { domain, arrival } = await answeredElsewhere(trial);
    if (idOf(arrival) === first) fail(`localhost and ${domain} get the same device_id, ${first}.`);
  },
  async "7-derivation"(trial) {
    if (!trial.holdsVectors) skip("Only for a wallet that holds the phrase of docs/wallet.md: --vectors.");
    const key = String(bodyOf((await trial.answered()).arrival).public_key).toLowerCase();
    if (![KEY_AT_LOCALHOST, COMPRESSED_AT_LOCALHOST].includes(key))
      fail(
        `For localhost the wallet sends the key ${key}. The phrase of the test vectors gives ${KEY_AT_LOCALHOST}, which is ${COMPRESSED_AT_LOCALHOST} compressed.`,
      );
  },
  async "7-shows-domain"(trial) {
    const domain = "localhost";
    const { said } = await trial.answered();
    if (!said.output.includes(domain)) fail(`The domain is not shown: ${firstLine(said)}`);
    if (!/log.?in|sign.?in/i.test(said.output)) fail(`The request is not shown: ${firstLine(said)}`);
  },
  async "1.2-unknown-parameter"(trial) {
    const { arrivals, said } = await trial.try((site) => ({
      webhook: webhookAt(site),
      more: [UNKNOWN_PARAMETER],
    }));
    if (arrivals.length === 0) fail(`A code with an unknown parameter is refused: ${firstLine(said)}`);
  },
} satisfies Rules<Trial, WalletId>;
