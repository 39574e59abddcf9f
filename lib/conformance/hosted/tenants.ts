import { fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { type Api, bodyOf, codeOf } from "./api.ts";

/** Section 5.1: what belongs to another tenant does not exist. They take `--other-key`. */

export const TENANT_CHECKS: readonly Rule<Api>[] = [
  {
    id: "5.1-foreign-session",
    proves: "Another tenant's session is 404 `session_not_found`, as if it did not exist.",
    cause: "The session is looked up by its identifier alone.",
    async run(api) {
      const key = api.otherKey();
      const { id } = await api.session();
      for (const [method, path] of [
        ["GET", `/sessions/${id}`],
        ["POST", `/sessions/${id}/refresh`],
      ] as const) {
        const answer = await api.call(method, path, undefined, { key });
        expectStatus(answer, 404, "another tenant's session");
        if (codeOf(answer) !== "session_not_found")
          fail(`${answer.name} says ${codeOf(answer)} instead of session_not_found.`);
      }
    },
  },
  {
    id: "5.1-foreign-domain",
    proves:
      "Another tenant's domain is 404 `domain_not_found` for every operation, and nothing happens to it.",
    cause: "One of the operations looks the domain up by its identifier alone.",
    async run(api) {
      const key = api.otherKey();
      const { id, webhookUrl } = await api.registerDomain();
      const changed = { webhook_url: "https://elsewhere.example/events" };
      for (const [method, path, body] of [
        ["GET", "", undefined],
        ["PATCH", "", changed],
        ["POST", "/verify", undefined],
        ["POST", "/rotate-secret", undefined],
        ["POST", "/test-event", undefined],
        ["DELETE", "", undefined],
      ] as const) {
        const answer = await api.call(method, `/domains/${id}${path}`, body, { key });
        expectStatus(answer, 404, "another tenant's domain");
        if (codeOf(answer) !== "domain_not_found")
          fail(`${answer.name} says ${codeOf(answer)} instead of domain_not_found.`);
      }
      const { webhook_url: now } = bodyOf(await api.call("GET", `/domains/${id}`));
      if (now !== webhookUrl)
        fail(`After the refusals its webhook URL is ${JSON.stringify(now)} instead of ${webhookUrl}.`);
    },
  },
  {
    id: "5.1-foreign-name",
    proves: "A session for a domain that another tenant has registered is 422 `domain_not_registered`.",
    cause: "The domain is looked up by its name, and whose it is is not asked.",
    async run(api) {
      const key = api.otherKey();
      const answer = await api.create({}, { key });
      expectStatus(answer, 422, "a session for another tenant's domain");
      if (codeOf(answer) !== "domain_not_registered")
        fail(`The code is ${codeOf(answer)} instead of domain_not_registered.`);
    },
  },
  {
    id: "5.1-foreign-lists",
    proves: "No list shows anything of another tenant, whatever it is asked to filter by.",
    cause: "A filter replaces the condition that keeps tenants apart.",
    async run(api) {
      const key = api.otherKey();
      const domain = await api.domain();
      const { id } = await api.authenticated();
      for (const path of [
        "/sessions?limit=100",
        "/domains?limit=100",
        "/deliveries?limit=100",
        `/deliveries?domain_id=${domain.id}`,
        `/deliveries?session_id=${id}`,
      ]) {
        const answer = await api.call("GET", path, undefined, { key });
        if ([id, domain.id, domain.name].some((text) => answer.text.includes(text)))
          fail(`GET ${path} shows what is another tenant's.`);
      }
    },
  },
  {
    id: "5.1-own-idempotency",
    proves: "An `Idempotency-Key` is the tenant's own: another tenant's answer is never given out.",
    cause: "Answers are kept by the key alone.",
    async run(api) {
      const other = api.otherKey();
      const { name } = await api.domain();
      const headers = { "Idempotency-Key": `own-${name}` };
      const { id } = await api.session({}, { headers });
      const answer = await api.call("POST", "/sessions", { domain: name }, { key: other, headers });
      if (answer.text.includes(id) || answer.status === 409)
        fail(`Another tenant with the same Idempotency-Key is answered ${answer.status}.`);
    },
  },
];
