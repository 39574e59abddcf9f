import { randomBytes, randomUUID } from "node:crypto";
import type { Rule } from "../check.ts";
import {
  eventBody,
  expectRefused,
  expectTaken,
  keyOf,
  nowSeconds,
  type Receiver,
  standardSignature,
  svcSignature,
} from "./receiver.ts";

/** Section 5.6: what of an event is signed, in both families of headers. */

export const SIGNED_BYTES_CHECKS: readonly Rule<Receiver>[] = [
  {
    id: "5.6-taken",
    proves: "A correctly signed event is answered with a 2xx.",
    cause: "The wrong secret, or a signature over the parsed body instead of its bytes: begin here.",
    async run(receiver) {
      for (const event of ["login", "register"]) {
        expectTaken(await receiver.send({ body: eventBody({ event }) }), `a ${event} event`);
      }
    },
  },
  {
    id: "5.6-raw-bytes",
    proves: "The signature is judged over the bytes that came, however the JSON in them is written.",
    cause: "A framework parses the body, and the receiver signs `JSON.stringify` of what it was given.",
    async run(receiver) {
      const pretty = JSON.stringify(JSON.parse(eventBody()), null, 2);
      expectTaken(await receiver.send({ body: pretty }), "an event with line breaks");
      const escaped = eventBody().replace("shop.example", "shop\\u002eexample");
      expectTaken(await receiver.send({ body: escaped }), "an event with escaped characters");
    },
  },
  {
    id: "5.6-unsigned",
    proves: "An event without a signature gets 401.",
    cause: "A missing header is skipped, or compares equal to a missing expectation.",
    async run(receiver) {
      const none = { "webhook-signature": null, "x-svc-signature": null };
      expectRefused(await receiver.send({ headers: none }), "no signature");
      const empty = { "webhook-signature": "", "x-svc-signature": "" };
      expectRefused(await receiver.send({ headers: empty }), "empty signatures");
    },
  },
  {
    id: "5.6-other-secret",
    proves: "An event that is signed with another secret gets 401.",
    cause: "The signature is computed, and the result is not used.",
    async run(receiver) {
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      expectRefused(await receiver.send({ secret }), "another secret");
    },
  },
  {
    id: "5.6-changed-body",
    proves:
      "An event whose body was changed after it was signed gets 401, by one character of white space too.",
    cause: "The body is parsed and written again before it is judged.",
    async run(receiver) {
      const signedBody = eventBody();
      const other = signedBody.replace("login", "register");
      expectRefused(await receiver.send({ body: other, signedBody }), "another event than was signed");
      expectRefused(
        await receiver.send({ body: `${signedBody} `, signedBody }),
        "a space behind what was signed",
      );
      expectRefused(
        await receiver.send({ body: signedBody.replace(",", ", "), signedBody }),
        "a space within it",
      );
    },
  },
  {
    id: "5.6-signature-whole",
    proves: "A part of a signature, or one that holds another, gets 401.",
    cause: "Signatures are compared by `startsWith` or `includes`, or only up to the shorter length.",
    async run(receiver) {
      const body = eventBody();
      const id = `evt_${randomUUID()}`;
      const timestamp = nowSeconds();
      const svc = svcSignature(receiver.secret, body);
      const standard = standardSignature(keyOf(receiver.secret), id, timestamp, body);
      for (const [what, change] of [
        ["half of a signature", (text: string) => text.slice(0, 20)],
        ["a signature with more behind it", (text: string) => `${text}00`],
      ] as const) {
        const headers = { "x-svc-signature": change(svc), "webhook-signature": change(standard) };
        expectRefused(await receiver.send({ body, id, timestamp, headers }), what);
      }
    },
  },
  {
    id: "5.6-keys",
    proves:
      "`x-svc-signature` is keyed by the secret's text, `webhook-signature` by its 32 bytes; not the other way round.",
    cause: "One key for both families.",
    async run(receiver) {
      const body = eventBody();
      const id = `evt_${randomUUID()}`;
      const timestamp = nowSeconds();
      const headers = {
        "x-svc-signature": svcSignature(keyOf(receiver.secret), body),
        "webhook-signature": standardSignature(receiver.secret, id, timestamp, body),
      };
      expectRefused(
        await receiver.send({ body, id, timestamp, headers }),
        "signatures with each other's key",
      );
    },
  },
];
