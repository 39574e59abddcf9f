import { fail, type Rules } from "../check.ts";
import { expectMembers, expectStatus } from "../expect-status.ts";
import { Wallet } from "../server/wallet.ts";
import { type Api, type Body, bodyOf } from "./api.ts";
import {
  answered,
  arrivals,
  expectedSignatures,
  headerOf,
  listening,
  taken,
  until,
} from "./event-listener.ts";

/** Section 5.6: what an event holds, and how it is signed. They take a receiver of the kit's own. */

/** What should not come would come within this time. */
const LISTENS_ON_SECONDS = 0.5;

export const EVENT_CHECKS: Rules<Api> = {
  "5.6-sent": {
    proves: "An answered session sends one event by POST, as JSON, to its domain's URL.",
    cause: "Nothing sends, or a worker does that is not running: begin here.",
    run: listening(taken, async (api, listener) => {
      const { arrival } = await answered(api, listener);
      if (arrival.method !== "POST" || arrival.path !== "/events")
        fail(`${arrival.method} ${arrival.path} arrives.`);
      if (!/^application\/json\b/.test(headerOf(arrival, "content-type")))
        fail("It is not application/json.");
      if (await until(() => listener.site.arrivals.length > 1, LISTENS_ON_SECONDS))
        fail("It arrives twice, though the first was taken.");
    }),
  },
  "5.6-sent-body": {
    proves: "An event holds its kind, time and session, and what the wallet has proved; all of it verifies.",
    cause: "Fields are renamed, or the key and signature are another spelling's than the challenge's.",
    run: listening(taken, async (api, listener) => {
      const { session, arrival } = await answered(api, listener, { mode: "register" });
      const { wallet, challenge, id } = session;
      const body = (arrival.json ?? {}) as Body;
      const data = (body.data ?? {}) as Body;
      expectMembers(body, { event: "register", session_id: id });
      if (!(Math.abs(Date.parse(String(body.timestamp)) - arrival.at) < 60_000))
        fail(`\`timestamp\` is ${body.timestamp}.`);
      const proved = { public_key: wallet.publicKey, signature: wallet.sign(challenge), challenge };
      expectMembers(data, proved, (name) => `\`data.${name}\``);
      if (!Number.isInteger(data.signed_at))
        fail(`\`data.signed_at\` is ${JSON.stringify(data.signed_at)} instead of what the wallet said.`);
      const { device_id: device } = (data.device_info ?? {}) as Body;
      if (device !== "conformance") fail("`data.device_info` is not what the wallet said.");
    }),
  },
  "5.6-sent-standard": {
    proves:
      "`webhook-signature` is Standard Webhooks' over the very bytes that arrive, keyed by the secret's bytes.",
    cause: "The JSON is written twice, or the key is the secret's text.",
    run: listening(taken, async (api, listener) => {
      const { arrival } = await answered(api, listener);
      const { standard } = expectedSignatures(arrival, listener.domain.secret);
      const given = headerOf(arrival, "webhook-signature");
      if (given !== standard) fail(`webhook-signature is ${given} instead of ${standard}.`);
      const timestamp = headerOf(arrival, "webhook-timestamp");
      if (!(Math.abs(arrival.at / 1000 - Number(timestamp)) < 60))
        fail(`webhook-timestamp is ${timestamp} instead of now, in Unix seconds.`);
      if (headerOf(arrival, "webhook-id") === "") fail("There is no webhook-id.");
    }),
  },
  "5.6-sent-svc": {
    proves: "`x-svc-signature` is the hex HMAC over the very bytes that arrive, keyed by the secret's text.",
    cause: "The key is the secret's bytes, or the timestamp is signed along.",
    run: listening(taken, async (api, listener) => {
      const { arrival } = await answered(api, listener);
      const { svc } = expectedSignatures(arrival, listener.domain.secret);
      const given = headerOf(arrival, "x-svc-signature");
      if (given !== svc) fail(`x-svc-signature is ${given} instead of ${svc}.`);
    }),
  },
  "5.6-sent-rotated": {
    proves: "After a rotation `webhook-signature` holds both secrets' signatures, the new one's first.",
    cause: "The old secret ends at once, so that receivers refuse events until they are deployed anew.",
    run: listening(taken, async (api, listener) => {
      const { id, secret } = listener.domain;
      const rotated = await api.call("POST", `/domains/${id}/rotate-secret`);
      expectStatus(rotated, 200, "a rotation");
      const { arrival } = await answered(api, listener);
      const now = expectedSignatures(arrival, String(bodyOf(rotated).webhook_secret));
      const both = `${now.standard} ${expectedSignatures(arrival, secret).standard}`;
      const given = headerOf(arrival, "webhook-signature");
      if (given !== both)
        fail(
          `webhook-signature is ${given} instead of the new secret's and, after a space, the previous one's: ${both}.`,
        );
      if (headerOf(arrival, "x-svc-signature") !== now.svc) fail("x-svc-signature is not the new secret's.");
    }),
  },
  "5.6-sent-test": {
    proves: "A test event is signed as every event is, and is named `test`, as its session is.",
    cause: "The test is another function, with a shape of its own.",
    run: listening(taken, async (api, listener) => {
      const { id, secret } = listener.domain;
      expectStatus(await api.call("POST", `/domains/${id}/test-event`), 202, "a test event");
      const [arrival] = await arrivals(listener, 1);
      const { event, session_id: session } = (arrival.json ?? {}) as Body;
      if (event !== "test" || session !== "test")
        fail(`It is ${arrival.text.slice(0, 200)} instead of "event":"test" with "session_id":"test".`);
      const { standard, svc } = expectedSignatures(arrival, secret);
      if (headerOf(arrival, "webhook-signature") !== standard) fail("webhook-signature does not verify.");
      if (headerOf(arrival, "x-svc-signature") !== svc) fail("x-svc-signature does not verify.");
    }),
  },
  "5.6-sent-for-success": {
    proves: "A refused answer sends no event.",
    cause: "The event is queued before the answer is judged.",
    run: listening(taken, async (api, listener) => {
      const session = await api.session({ domain: listener.domain.name });
      await api.respond(session, new Wallet(), { signature: new Wallet().sign(session.challenge) });
      await api.respond({ ...session, challenge: `${session.challenge}x` });
      // One that counts: what was queued before it has arrived by then.
      const { session: next } = await answered(api, listener);
      await until(() => listener.site.arrivals.length > 1, LISTENS_ON_SECONDS);
      const others = listener.site.arrivals.filter(({ json }) => (json as Body)?.session_id !== next.id);
      if (others.length > 0) fail(`A refused answer sends ${others[0]?.text.slice(0, 100)}.`);
    }),
  },
};
