import type { Rules } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import type { HostedId } from "../texts/hosted.ts";
import { type Api, expectInvalid } from "./api.ts";

/** Section 5.5: the URLs to which events may be sent, according to their text. */

const host = "hooks.shop.example";

/** @throws {Failure} if one of these URLs can be registered, for a new domain or an existing one */
const refuses =
  (urls: readonly string[]) =>
  async (api: Api): Promise<void> => {
    const existing = await api.registerDomain();
    const shown = (url: string) => JSON.stringify(url.slice(0, 80));
    for (const url of urls)
      expectInvalid(await api.askDomain(api.newName(), url), `the webhook URL ${shown(url)}`);
    for (const webhook_url of urls.slice(0, 3)) {
      const changed = await api.call("PATCH", `/domains/${existing.id}`, { webhook_url });
      expectInvalid(changed, `${shown(webhook_url)} for a domain`);
    }
  };

export const WEBHOOK_URL_CHECKS = {
  "5.5-form": refuses([
    ...[`https://user:secret@${host}/`, `https://${host}/#part`, `ftp://${host}/`, "", "events"],
    ...[`//${host}/`, `https:/${host}/`, "https://", "javascript:alert(1)", `https:\\\\${host}\\`],
    ...[`https://user@${host}/`, `https://${host}/ events`, `https://${host}/${"a".repeat(2_048)}`],
  ]),
  "5.5-port": refuses(
    ["25", "0", "65536", "port", "-1", "22", "6000", "10080"].map((port) => `https://${host}:${port}/`),
  ),
  "5.5-host": refuses(
    [
      ...["hooks..shop.example", "*.shop.example", `${"a".repeat(64)}.example`],
      ...[`${"a.".repeat(130)}example`, "-hooks.example", "xn--.example", "hooks_1.example"],
    ].map((name) => `https://${name}/`),
  ),
  "5.5-public-suffix": refuses(["https://co.uk/", "https://com/", "https://github.io/events"]),
  "5.5-inner-names": refuses(
    [
      ...["intranet", "db.internal", "kubernetes.default.svc", "printer.local", "x.onion"],
      ...["nas.home.arpa", "x.invalid", "pc.lan", "a.corp"],
    ].map((name) => `https://${name}/`),
  ),
  "5.5-addresses": refuses([
    ...["https://169.254.169.254/latest/meta-data/", "https://10.0.0.1/", "https://[fd00::1]/"],
    ...["https://192.168.1.1/", "https://172.16.0.1/", "https://0xa9.0xfe.0xa9.0xfe/"],
    ...["https://2852039166/", "https://[::ffff:10.0.0.1]/", "https://[fe80::1]/"],
    ...["https://0.0.0.0/", "https://100.64.0.1/"],
  ]),
  "5.5-https": refuses([`http://${host}/events`, `HTTP://${host}/events`]),
  async "5.5-accepts"(api) {
    await api.domain();
    for (const url of [
      `https://${host}:8443/a/b?c=d`,
      "https://hooks.example.com/events",
      `https://${"a".repeat(63)}.example/`,
    ])
      expectStatus(await api.askDomain(api.newName(), url), 201, url);
  },
} satisfies Rules<Api, HostedId>;
