import { fail, type Rule } from "../check.ts";
import { type Answering, answerJson, errorBody } from "./hostile-site.ts";
import { firstLine, type Trial } from "./trial.ts";

/** Section 7: what a wallet makes of what the site answers. */

export const OUTCOME_CHECKS: readonly Rule<Trial>[] = [
  {
    id: "7-only-200",
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
];
