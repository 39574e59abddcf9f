import { fail, looksBack, type Rule, type Rules } from "../check.ts";
import { expectEqual, expectNoMore, expectStatus } from "../expect-status.ts";
import { bodyOf } from "../http-client.ts";
import type { HostedId } from "../texts/hosted.ts";
import { type Api, type Body, expectCode, expectInvalid, type Session } from "./api.ts";

/** Section 5.2: the request for a session, and its answer. */

export const LIFETIME_SECONDS = 30;
const CREATED = ["id", "challenge", "qr_data", "expires_at", "status", "created_at"];
export const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

const partsOf = ({ challenge }: Session) => challenge.split(":");

function ofEverySession(examine: (session: Session, api: Api) => void): Rule<Api> {
  return looksBack(async (api) => {
    if (api.run.sessions.length === 0) await api.session();
    for (const session of api.run.sessions) examine(session, api);
  });
}

/** @throws {Failure} unless each of these bodies is refused with 400 `invalid_request` */
const refuses =
  (bodiesOf: (domain: string) => readonly Body[]) =>
  async (api: Api): Promise<void> => {
    for (const body of bodiesOf((await api.domain()).name))
      expectInvalid(await api.create(body), JSON.stringify(body).slice(0, 120));
  };

export const SESSION_CHECKS = {
  async "5.2-created"(api) {
    const answer = await api.create();
    expectStatus(answer, 201, "a session");
    const body = bodyOf(answer);
    const missing = CREATED.filter((name) => typeof body[name] !== "string");
    if (missing.length > 0) fail(`These are no texts: ${missing.join(", ")}.`);
    expectNoMore(body, CREATED, "The answer");
    expectEqual(body.status, "pending", "The status");
    for (const name of ["created_at", "expires_at"])
      if (!ISO.test(String(body[name])))
        fail(`\`${name}\` is ${JSON.stringify(body[name])} instead of ISO 8601 in UTC.`);
  },
  "5.2-challenge": ofEverySession(({ challenge }) => {
    const [, domain] = /^svc:(?:login|register):([^:]*):[1-9]\d{8,10}:[A-Za-z0-9]{32}$/.exec(challenge) ?? [];
    if (domain === undefined)
      fail(
        `The challenge is ${JSON.stringify(challenge)} instead of svc:{mode}:{domain}:{Unix seconds}:{nonce}.`,
      );
    if (!/^c[0-9a-f]{12}\.example$/.test(domain)) fail(`The challenge is for ${JSON.stringify(domain)}.`);
  }),
  async "5.2-mode"(api) {
    for (const more of [{}, { mode: "login" }, { mode: "register" }]) {
      const session = await api.session(more);
      expectEqual(partsOf(session)[1], more.mode ?? "login", `The action for ${JSON.stringify(more)}`);
    }
  },
  "5.2-expires-at": ofEverySession((session) => {
    const expected = Number(partsOf(session)[3]) + LIFETIME_SECONDS;
    // The timestamp has whole seconds, and `expires_at` may have more.
    if (!(Math.abs(Date.parse(String(session.expiresAt)) / 1000 - expected) <= 1))
      fail(
        `\`expires_at\` is ${session.expiresAt} instead of ${LIFETIME_SECONDS} s after the timestamp of ${session.challenge}.`,
      );
  }),
  "5.2-qr-data": ofEverySession((session, api) => {
    const { qrData, challenge, id } = session;
    if (!qrData.startsWith("svc://auth?") || !/^[!-~]{1,4096}$/.test(qrData))
      fail(`\`qr_data\` is ${JSON.stringify(qrData)} instead of svc://auth?… in visible ASCII.`);
    const query = new URL(qrData).searchParams;
    const webhook = api.target.origin.origin + api.webhook(id);
    const expected = { webhook, session: id, challenge, ts: partsOf(session)[3] };
    for (const [name, value] of Object.entries(expected)) {
      const given = query.getAll(name);
      if (given.length !== 1 || given[0] !== value)
        fail(`\`${name}\` in \`qr_data\` is ${JSON.stringify(given)} instead of ${value}.`);
    }
  }),
  "5.2-random": looksBack(async (api) => {
    const { sessions } = api.run;
    while (new Set(sessions.map(({ id }) => id)).size < 6) await api.session();
    const ids = [...new Set(sessions.map(({ id }) => id))];
    for (const texts of [ids, sessions.map((each) => partsOf(each)[4] ?? "")]) {
      for (const [index, text] of texts.slice(1).entries()) {
        const before = texts[index] ?? "";
        const same = [...text].filter((symbol, at) => symbol === before[at]).length;
        if (text.length < 22) fail(`${text} has ${text.length} characters instead of 22 or more.`);
        // A UUID has dashes and a version in common with the next.
        if (same > text.length / 2) fail(`These look alike: ${before} and ${text}.`);
      }
    }
  }),
  async "5.2-domain-unknown"(api) {
    const { name } = await api.domain();
    for (const domain of [api.newName(), `sub.${name}`, name.slice(1), "example"])
      expectCode(await api.create({ domain }), 422, "domain_not_registered", `a session for ${domain}`);
  },
  "5.2-types": refuses((domain) => [
    ...[undefined, 1, "", `https://${domain}`, `${domain}:443`].map((value) => ({ domain: value })),
    ...["admin", "LOGIN", 1].map((mode) => ({ mode })),
    { webhook_url: 1 },
    ...["x", { custom_data: { a: 1 } }].map((metadata) => ({ metadata })),
  ]),
  "5.2-webhook-url": refuses((domain) =>
    [
      "https://elsewhere.example/events",
      `https://${domain}.elsewhere.example/events`,
      `https://evil-${domain}/events`,
      `https://elsewhere.example/?${domain}`,
      `https://${domain}@elsewhere.example/`,
      "not a url",
    ].map((webhook_url) => ({ webhook_url })),
  ),
  "5.2-return-url": refuses((domain) =>
    [
      ...["https://elsewhere.example/", `http://${domain}/`, `https://${domain}.elsewhere.example/`],
      ...[`https://evil-${domain}/`, `https://${domain}@elsewhere.example/`],
      ...["javascript:alert(1)", "//elsewhere.example", "/relative"],
    ].map((return_url) => ({ metadata: { return_url } })),
  ),
  "5.2-custom-data": refuses(() =>
    ["a".repeat(4_097), "ü".repeat(2_049)].map((custom_data) => ({ metadata: { custom_data } })),
  ),
  async "5.2-accepts"(api) {
    const { name, webhookUrl } = await api.domain();
    for (const more of [
      { webhook_url: `https://${name}/other-events` },
      { webhook_url: webhookUrl },
      { metadata: { return_url: `https://${name}/welcome?x=1`, custom_data: "a".repeat(4_096) } },
      { metadata: {}, colour: "blue" },
    ])
      expectStatus(await api.create(more), 201, JSON.stringify(more).slice(0, 120));
  },
} satisfies Rules<Api, HostedId>;
