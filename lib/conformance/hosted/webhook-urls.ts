import type { Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { type Api, bodyOf } from "./api.ts";
import { expectCode } from "./sessions.ts";

/** Section 5.5: where events may be sent, as far as the URL's text shows it. */

const host = "hooks.shop.example";

/** A check that none of these URLs can be registered, for a new domain or for one that stands. */
function refuses(id: string, proves: string, cause: string, urls: readonly string[]): Rule<Api> {
  return {
    ...{ id, proves, cause },
    async run(api) {
      const standing = await api.registerDomain();
      for (const webhook_url of urls) {
        const what = `the webhook URL ${JSON.stringify(webhook_url.slice(0, 80))}`;
        const created = await api.call("POST", "/domains", { domain: api.newName(), webhook_url });
        if (created.status === 201)
          api.run.domains.push({ id: String(bodyOf(created).id), key: api.target.key });
        expectCode(created, 400, "invalid_request", what);
      }
      for (const webhook_url of urls.slice(0, 3)) {
        const changed = await api.call("PATCH", `/domains/${standing.id}`, { webhook_url });
        expectCode(
          changed,
          400,
          "invalid_request",
          `${JSON.stringify(webhook_url.slice(0, 80))} for a domain`,
        );
      }
    },
  };
}

export const WEBHOOK_URL_CHECKS: readonly Rule<Api>[] = [
  refuses(
    "5.5-form",
    "A webhook URL is absolute, without user info and fragment, of 2,048 characters at most; otherwise 400.",
    "Whatever `new URL` takes is called.",
    [
      `https://user:secret@${host}/`,
      `https://${host}/#part`,
      `ftp://${host}/`,
      ...[
        "",
        "events",
        `//${host}/`,
        `https:/${host}/`,
        "https://",
        "javascript:alert(1)",
        `https:\\\\${host}\\`,
      ],
      `https://user@${host}/`,
      `https://${host}/ events`,
      `https://${host}/${"a".repeat(2_048)}`,
    ],
  ),
  refuses(
    "5.5-port",
    "A webhook URL's port is absent or 1 to 65535, and none that browsers block; otherwise 400.",
    "The port is not looked at.",
    [
      ...[`https://${host}:25/`, `https://${host}:0/`, `https://${host}:65536/`, `https://${host}:port/`],
      ...[`https://${host}:-1/`, `https://${host}:22/`, `https://${host}:6000/`, `https://${host}:10080/`],
    ],
  ),
  refuses(
    "5.5-host",
    "A webhook URL's host is a syntactically valid name; otherwise 400.",
    "Only the URL parser judges the host, and it takes what no name server does.",
    [
      "https://hooks..shop.example/",
      "https://*.shop.example/",
      `https://${"a".repeat(64)}.example/`,
      `https://${"a.".repeat(130)}example/`,
      "https://-hooks.example/",
      "https://xn--.example/",
      "https://hooks_1.example/",
    ],
  ),
  refuses(
    "5.5-public-suffix",
    "A public suffix is no host of a webhook: 400.",
    "Two labels count as enough.",
    ["https://co.uk/", "https://com/", "https://github.io/events"],
  ),
  refuses(
    "5.5-inner-names",
    "Names that are not public are 400: one label, special use, what inner networks use, suffixes that nobody can register below.",
    "Events reach the API's own network. An operator may open it (`WEBHOOK_ALLOW_CIDRS`); this then fails rightly.",
    [
      "https://intranet/",
      "https://db.internal/",
      "https://kubernetes.default.svc/",
      "https://printer.local/",
      ...[
        "https://x.onion/",
        "https://nas.home.arpa/",
        "https://x.invalid/",
        "https://pc.lan/",
        "https://a.corp/",
      ],
    ],
  ),
  refuses(
    "5.5-addresses",
    "An address that is not public is 400, in every spelling.",
    "The cloud's metadata and inner services can be called: server-side request forgery.",
    [
      "https://169.254.169.254/latest/meta-data/",
      "https://10.0.0.1/",
      "https://[fd00::1]/",
      ...[
        "https://192.168.1.1/",
        "https://172.16.0.1/",
        "https://0xa9.0xfe.0xa9.0xfe/",
        "https://2852039166/",
      ],
      ...["https://[::ffff:10.0.0.1]/", "https://[fe80::1]/", "https://0.0.0.0/", "https://100.64.0.1/"],
    ],
  ),
  refuses(
    "5.5-https",
    "A webhook URL is https; http to a public name is 400.",
    "The scheme is not looked at.",
    [`http://${host}/events`, `HTTP://${host}/events`],
  ),
  {
    id: "5.5-accepts",
    proves: "A webhook URL on any public name is taken, with port, path and query.",
    cause: "The URL has to be on the domain itself, or without a port.",
    async run(api) {
      await api.domain();
      for (const webhook_url of [
        `https://${host}:8443/a/b?c=d`,
        "https://hooks.example.com/events",
        `https://${"a".repeat(63)}.example/`,
      ]) {
        const answer = await api.call("POST", "/domains", { domain: api.newName(), webhook_url });
        if (answer.status === 201)
          api.run.domains.push({ id: String(bodyOf(answer).id), key: api.target.key });
        expectStatus(answer, 201, webhook_url);
      }
    },
  },
];
