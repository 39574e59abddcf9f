import { randomBytes } from "node:crypto";
import { fail, type Rule } from "../check.ts";
import type { Receiver } from "./receiver.ts";

/** Section 5.6: how a receiver answers. */

const ATTEMPT_SECONDS = 15;

export const ANSWER_CHECKS: readonly Rule<Receiver>[] = [
  {
    id: "5.6-error-body",
    level: "SHOULD",
    proves: 'A refusal is JSON: `{"error":"<message>"}`.',
    cause: "The refusal is a text or empty, so the delivery log says nothing of use.",
    async run(receiver) {
      const { json } = await receiver.send({ secret: `whsec_${randomBytes(32).toString("base64")}` });
      const { error } = (json ?? {}) as { error?: unknown };
      if (typeof error !== "string" || error === "")
        fail(`The refusal is ${JSON.stringify(json)} instead of {"error":"…"}.`);
    },
  },
  {
    id: "5.6-no-redirect",
    proves: "The answer is no redirect: the hosted API follows none.",
    cause: "The address lacks its last slash, or names http where https is.",
    async run(receiver) {
      const { status, headers } = await receiver.send();
      if (status >= 300 && status < 400) fail(`The receiver sends on to ${headers.location}.`);
    },
  },
  {
    id: "5.6-in-time",
    proves: "An event is answered within 15 seconds, which is when an attempt ends.",
    cause: "The work is done before the answer; put it into a queue.",
    async run(receiver) {
      const started = Date.now();
      await receiver.send();
      const seconds = (Date.now() - started) / 1000;
      if (seconds > ATTEMPT_SECONDS) fail(`The answer took ${Math.round(seconds)} seconds.`);
    },
  },
  {
    id: "5.6-method",
    level: "SHOULD",
    proves: "Only a POST is an event: GET is refused with a 4xx.",
    cause: "The handler does not look at the method.",
    async run(receiver) {
      const { status } = await receiver.http.send({ path: receiver.path });
      if (status < 400 || status >= 500) fail(`GET is answered ${status}.`);
    },
  },
];
