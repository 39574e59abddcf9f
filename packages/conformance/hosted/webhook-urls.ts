import type { Rules } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { type Api, expectInvalid } from "./api.ts";

/** Section 5.5: where events may be sent, as far as the URL's text shows it. */

const host = "hooks.shop.example";

/** @throws {Failure} if one of these URLs can be registered, for a new domain or for one that stands */
const refuses =
  (urls: readonly string[]) =>
  async (api: Api): Promise<void> => {
    const standing = await api.registerDomain();
    const shown = (url: string) => JSON.stringify(url.slice(0, 80));
    for (const url of urls)
      expectInvalid(await api.askDomain(api.newName(), url), `the webhook URL ${shown(url)}`);
    for (const webhook_url of urls.slice(0, 3)) {
      const changed = await api.call("PATCH", `/domains/${standing.id}`, { webhook_url });
      expectInvalid(changed, `${shown(webhook_url)} for a domain`);
    }
  };

export const WEBHOOK_URL_CHECKS: Rules<Api> = {
  "5.5-form": {
    proves:
      "A webhook URL is absolute, without user info and fragment, of 2,048 characters at most; otherwise 400.",
    cause: "Whatever `new URL` takes is called.",
    run: refuses([
      ...[`https://user:secret@${host}/`, `https://${host}/#part`, `ftp://${host}/`, "", "events"],
      ...[`//${host}/`, `https:/${host}/`, "https://", "javascript:alert(1)", `https:\\\\${host}\\`],
      ...[`https://user@${host}/`, `https://${host}/ events`, `https://${host}/${"a".repeat(2_048)}`],
    ]),
  },
  "5.5-port": {
    proves: "A webhook URL's port is absent or 1 to 65535, and none that browsers block; otherwise 400.",
    cause: "The port is not looked at.",
    run: refuses(
      ["25", "0", "65536", "port", "-1", "22", "6000", "10080"].map((port) => `https://${host}:${port}/`),
    ),
  },
  "5.5-host": {
    proves: "A webhook URL's host is a syntactically valid name; otherwise 400.",
    cause: "Only the URL parser judges the host, and it takes what no name server does.",
    run: refuses(
      [
        ...["hooks..shop.example", "*.shop.example", `${"a".repeat(64)}.example`],
        ...[`${"a.".repeat(130)}example`, "-hooks.example", "xn--.example", "hooks_1.example"],
      ].map((name) => `https://${name}/`),
    ),
  },
  "5.5-public-suffix": {
    proves: "A public suffix is no host of a webhook: 400.",
    cause: "Two labels count as enough.",
    run: refuses(["https://co.uk/", "https://com/", "https://github.io/events"]),
  },
  "5.5-inner-names": {
    proves:
      "Names that are not public are 400: one label, special use, what inner networks use, suffixes that nobody can register below.",
    cause:
      "Events reach the API's own network. An operator may open it (`WEBHOOK_ALLOW_CIDRS`); this then fails rightly.",
    run: refuses(
      [
        ...["intranet", "db.internal", "kubernetes.default.svc", "printer.local", "x.onion"],
        ...["nas.home.arpa", "x.invalid", "pc.lan", "a.corp"],
      ].map((name) => `https://${name}/`),
    ),
  },
  "5.5-addresses": {
    proves: "An address that is not public is 400, in every spelling.",
    cause: "The cloud's metadata and inner services can be called: server-side request forgery.",
    run: refuses([
      ...["https://169.254.169.254/latest/meta-data/", "https://10.0.0.1/", "https://[fd00::1]/"],
      ...["https://192.168.1.1/", "https://172.16.0.1/", "https://0xa9.0xfe.0xa9.0xfe/"],
      ...["https://2852039166/", "https://[::ffff:10.0.0.1]/", "https://[fe80::1]/"],
      ...["https://0.0.0.0/", "https://100.64.0.1/"],
    ]),
  },
  "5.5-https": {
    proves: "A webhook URL is https; http to a public name is 400.",
    cause: "The scheme is not looked at.",
    run: refuses([`http://${host}/events`, `HTTP://${host}/events`]),
  },
  "5.5-accepts": {
    proves: "A webhook URL on any public name is taken, with port, path and query.",
    cause: "The URL has to be on the domain itself, or without a port.",
    async run(api) {
      await api.domain();
      for (const url of [
        `https://${host}:8443/a/b?c=d`,
        "https://hooks.example.com/events",
        `https://${"a".repeat(63)}.example/`,
      ])
        expectStatus(await api.askDomain(api.newName(), url), 201, url);
    },
  },
};
