import type { ServerResponse } from "node:http";

/** Delegation files that are none, as data (docs/protocol.md#91-the-file). */
export type LyingFile = {
  check: string;
  what: string;
  /** @param names the domain that is asked, and the host that it would have to name */
  answer(response: ServerResponse, names: { domain: string; host: string }): void;
};

export const fileOf = (domain: string, hosts: readonly unknown[]) =>
  JSON.stringify({ domain, webhook_hosts: hosts });

export function answerFile(
  response: ServerResponse,
  text: string | Uint8Array,
  { status = 200, type = "application/json" }: { status?: number; type?: string } = {},
): void {
  response.writeHead(status, { "Content-Type": type, "Access-Control-Allow-Origin": "*" }).end(text);
}

/** A file with other hosts than it should have. */
const withHosts = (what: string, hostsOf: (host: string) => unknown[]): LyingFile => ({
  ...{ check: "9.1-hosts", what },
  answer: (response, { domain, host }) => answerFile(response, fileOf(domain, hostsOf(host))),
});

/** An answer whose text would be right, and whose form is not. */
const inForm = (
  what: string,
  change: (text: string) => string | Uint8Array,
  form: Parameters<typeof answerFile>[2] = {},
): LyingFile => ({
  ...{ check: "9.1-file", what },
  answer: (response, { domain, host }) => answerFile(response, change(fileOf(domain, [host])), form),
});

export const LYING_FILES: readonly LyingFile[] = [
  inForm("no JSON", (text) => text.slice(0, -1)),
  inForm("a file of more than 8 KB", (text) => text.replace("{", `{"more":"${"x".repeat(8 * 1024)}",`)),
  inForm("a page of HTML", (text) => text, { type: "text/html" }),
  inForm("a file with status 404", (text) => text, { status: 404 }),
  inForm("a file that names its hosts twice", (text) =>
    text.replace("{", '{"webhook_hosts":["other.example"],'),
  ),
  inForm("a file with a byte order mark", (text) => `\ufeff${text}`),
  {
    ...{ check: "9.1-domain", what: "a file of another domain" },
    answer: (response, { host }) => answerFile(response, fileOf("shop.example", [host])),
  },
  {
    ...{ check: "9.1-domain", what: "a file without a domain" },
    answer: (response, { host }) => answerFile(response, JSON.stringify({ webhook_hosts: [host] })),
  },
  withHosts("another host", () => ["other.example"]),
  withHosts("a parent of the host", (host) => [host.slice(host.indexOf(".") + 1)]),
  withHosts("a wildcard", (host) => [`*${host.slice(host.indexOf("."))}`]),
  withHosts("the host with a port", (host) => [`${host}:80`]),
  withHosts("the host in capitals", (host) => [host.toUpperCase()]),
  withHosts("the host among six", (host) =>
    [host, ..."abcde"].map((name, at) => (at ? `${name}.example` : name)),
  ),
  withHosts("the host beside what is none", (host) => [host, 1]),
  withHosts("no list", (host) => host as unknown as unknown[]),
];
