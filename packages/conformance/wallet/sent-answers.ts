import { fail, NotApplicable, type Rules } from "../check.ts";
import { bodyOf, membersOf } from "../http-client.ts";
import { UNKNOWN_PARAMETER } from "./code.ts";
import type { Arrival } from "./hostile-site.ts";
import { judgeFields, judgeHeaders, judgeShown, judgeSignature } from "./judge-answer.ts";
import { answeredElsewhere, firstLine, type Trial, webhookAt } from "./trial.ts";

/** Sections 1.2, 1.4, 1.5, 3.6 and 7: what a wallet sends for a correct code, and shows first. */

/** The key of the test vectors (docs/wallet.md#vectors) for `localhost`, account 0. */
const KEY_AT_LOCALHOST =
  "04792fe19c02a99159d5249fbdbc5f60f0586b8ac78249b98a633900c71b583c87aa708cb2bed6a0fceefab969a6737c3ca8f662e832546963855330d9e10eddd9";
/** The same key, compressed: its y is odd. */
const COMPRESSED_AT_LOCALHOST = `03${KEY_AT_LOCALHOST.slice(2, 66)}`;

/** Judges the answer to a correct code. */
const judges = (judge: (arrival: Arrival, challenge: string) => void) => async (trial: Trial) => {
  const { arrival, challenge } = await trial.answered();
  judge(arrival, challenge);
};

export const SENT_ANSWER_CHECKS: Rules<Trial> = {
  "7-answers": {
    proves: "The wallet answers a correct code once, by POST to the webhook, and says that it worked.",
    cause: "The command waits for a question, or does not end with 0: begin here.",
    async run(trial) {
      const { said, arrivals } = await trial.try((site) => ({ webhook: webhookAt(site) }));
      if (arrivals.length !== 1) fail(`${arrivals.length} requests arrive: ${firstLine(said)}`);
      const [{ method, path }] = arrivals as [Arrival];
      if (method !== "POST" || path !== "/webhook/login")
        fail(`The wallet sends ${method} ${path} instead of POST /webhook/login.`);
      if (said.status !== 0)
        fail(`The site accepted, and the wallet ends with ${said.status}: ${firstLine(said)}`);
    },
  },
  "1.5-sent": {
    proves: "What the wallet sends has the documented fields, with their types, as JSON.",
    cause: "A field has another name, or the timestamp is in milliseconds or a text.",
    run: judges(judgeFields),
  },
  "1.4-sent": {
    proves:
      "The signature is strict DER and verifies over SHA-256 of the challenge, hashed once, with the key that is sent.",
    cause: "The text is hashed twice, or the signature is raw or in base64.",
    run: judges(judgeSignature),
  },
  "3.6-shown-none": {
    level: "SHOULD",
    proves: "For a code without an intent the wallet sends `intent` as null, since it showed none.",
    cause:
      "The field is left out where there is nothing to say, and so is the word that a relay dropped an intent.",
    async run(trial) {
      judgeShown((await trial.answered()).arrival, undefined);
      judgeShown((await trial.answered({ action: "register" })).arrival, undefined);
      // A wallet that does not know an intent shows a login, or refuses the code.
      const more = [["intent", "steal"]] as const;
      const { arrivals } = await trial.try((site) => ({ webhook: webhookAt(site), more }));
      if (arrivals[0]) judgeShown(arrivals[0], undefined);
    },
  },
  "3.6-shown": {
    level: "SHOULD",
    proves: "The wallet sends the intent that it showed: whoever relays a code can drop or change it.",
    cause:
      "The answer is made from the challenge alone. Without the field a site cannot refuse a code that was changed on its way.",
    async run(trial) {
      let answered = 0;
      for (const intent of ["add", "approve", "recover"] as const) {
        const action = intent === "recover" ? "register" : "login";
        const { arrivals } = await trial.try((site) => ({ webhook: webhookAt(site), action, intent }));
        // A wallet may refuse an intent that it does not offer.
        if (!arrivals[0]) continue;
        answered++;
        judgeShown(arrivals[0], intent);
      }
      if (answered === 0) throw new NotApplicable("The wallet answers no code with an intent.");
    },
  },
  "7-no-cookies": {
    proves: "The wallet sends no cookies, credentials or referrer with its answer.",
    cause: "The request is made by a browser's default settings.",
    run: judges(judgeHeaders),
  },
  "7-one-key-per-domain": {
    proves: "The wallet uses one key for a domain, and another for another domain.",
    cause: "One key for everything, by which sites recognise their users together; or a new one every time.",
    async run(trial) {
      const first = bodyOf((await trial.answered()).arrival).public_key;
      const again = bodyOf((await trial.answered()).arrival).public_key;
      if (first !== again) fail(`The same domain gets the key ${first} and then ${again}.`);
      const { domain, arrival } = await answeredElsewhere(trial);
      if (bodyOf(arrival).public_key === first) fail(`localhost and ${domain} get the same key, ${first}.`);
    },
  },
  "7-device-per-domain": {
    level: "SHOULD",
    proves: "`device_info.device_id` is another at every domain, or is left out.",
    cause: "The identifier is that of the phone or of the installation.",
    async run(trial) {
      const idOf = (arrival: Arrival) => membersOf(bodyOf(arrival).device_info).device_id;
      const first = idOf((await trial.answered()).arrival);
      if (first === undefined) throw new NotApplicable("The wallet sends no device_id.");
      const { domain, arrival } = await answeredElsewhere(trial);
      if (idOf(arrival) === first) fail(`localhost and ${domain} get the same device_id, ${first}.`);
    },
  },
  "7-derivation": {
    level: "SHOULD",
    proves:
      "The phrase of the test vectors leads to the documented key, so that it is the same in every wallet.",
    cause: "Another path, another account, or the domain without `svc://` in front of it.",
    async run(trial) {
      if (!trial.holdsVectors)
        throw new NotApplicable("Only for a wallet that holds the phrase of docs/wallet.md: --vectors.");
      const key = String(bodyOf((await trial.answered()).arrival).public_key).toLowerCase();
      if (![KEY_AT_LOCALHOST, COMPRESSED_AT_LOCALHOST].includes(key))
        fail(
          `For localhost the wallet sends the key ${key}. The phrase of the test vectors gives ${KEY_AT_LOCALHOST}, which is ${COMPRESSED_AT_LOCALHOST} compressed.`,
        );
    },
  },
  "7-shows-domain": {
    proves: "The wallet shows the domain and what is asked before it sends anything.",
    cause: "The question is asked without the one thing that protects against a relayed code.",
    async run(trial) {
      const domain = "localhost";
      const { said } = await trial.answered();
      if (!said.output.includes(domain)) fail(`The domain is not shown: ${firstLine(said)}`);
      if (!/log.?in|sign.?in/i.test(said.output)) fail(`What is asked is not shown: ${firstLine(said)}`);
    },
  },
  "1.2-unknown-parameter": {
    proves: "Parameters of a payload that the wallet does not know are ignored.",
    cause: "The payload is read strictly, so that newer sites are turned away.",
    async run(trial) {
      const { arrivals, said } = await trial.try((site) => ({
        webhook: webhookAt(site),
        more: [UNKNOWN_PARAMETER],
      }));
      if (arrivals.length === 0) fail(`A code with an unknown parameter is refused: ${firstLine(said)}`);
    },
  },
};
