import type { ServerResponse } from "node:http";
import { block, fail, type Rules, skip, startsEarly } from "../check.ts";
import { expectEqual } from "../expect-status.ts";
import type { WalletId } from "../texts/wallet.ts";
import { type Domain, type FileResponder, newLocalhostName, openHostileSite } from "./hostile-site.ts";
import { expectNoIdentifyingHeaders } from "./sent-answers.ts";
import { type CodeTrial, expectRefusal, findOuterAddress, type Trial } from "./trial.ts";

/** Section 9: which delegations a wallet accepts. */

/** The domain's delegation file must list the host. */
type Names = { domain: string; host: string };

/** By what is wrong with the file (docs/protocol.md#91-the-file). */
type InvalidFiles = Record<string, (names: Names) => FileResponder>;

const fileOf = (domain: string, hosts: unknown) => JSON.stringify({ domain, webhook_hosts: hosts });

function answerFile(
  response: ServerResponse,
  text: string | Uint8Array,
  { status = 200, type = "application/json" }: { status?: number; type?: string } = {},
): void {
  response.writeHead(status, { "Content-Type": type, "Access-Control-Allow-Origin": "*" }).end(text);
}

const withHosts =
  (hostsOf: (host: string) => unknown): InvalidFiles[string] =>
  ({ domain, host }) =>
  (response) =>
    answerFile(response, fileOf(domain, hostsOf(host)));

const inForm =
  (
    change: (text: string) => string | Uint8Array,
    form: Parameters<typeof answerFile>[2] = {},
  ): InvalidFiles[string] =>
  ({ domain, host }) =>
  (response) =>
    answerFile(response, change(fileOf(domain, [host])), form);

type DomainTrial = CodeTrial & { asked: Domain["asked"] };

/** The code's answer goes to a host other than the domain. `answerOf` creates the response with the domain's file. */
async function show(
  trial: Trial,
  answerOf: InvalidFiles[string],
  { age = 0, names = { domain: newLocalhostName("shop"), host: newLocalhostName("api") } } = {},
): Promise<DomainTrial> {
  const { asked } = (await trial.domains()).publish(names.domain, answerOf(names));
  const result = await trial.try({ ...names, age });
  return { ...result, asked };
}

const honest: InvalidFiles[string] =
  ({ domain, host }) =>
  (response) =>
    answerFile(response, fileOf(domain, [host]));

/**
 * The domain's delegation file allows the host.
 * @throws {NotApplicableError} if the wallet does not fetch the file; {BlockedError} if the wallet fetches the file but
 * does not answer
 */
async function requireAsking(trial: Trial): Promise<DomainTrial> {
  const shown = await show(trial, honest);
  if (shown.asked.length === 0) skip("The wallet does not fetch delegation files.");
  if (shown.arrivals.length === 0)
    block("The wallet does not answer a code whose domain names the host", undefined, "9.2-answers");
  return shown;
}

/** @throws {CheckFailure} if the wallet treats one of these files as a valid delegation */
function isNone(files: InvalidFiles) {
  return async (trial: Trial): Promise<void> => {
    await requireAsking(trial);
    for (const [what, answerOf] of Object.entries(files))
      expectRefusal(await show(trial, answerOf), `a code whose domain serves ${what}`);
  };
}

export const DELEGATION_CHECKS = {
  async "9.2-answers"(trial) {
    const { asked, arrivals } = await show(trial, honest);
    if (asked.length === 0) skip("The wallet does not fetch delegation files.");
    const [{ method, path }] = asked as [Domain["asked"][number]];
    expectEqual(`${method} ${path}`, "GET /.well-known/svc-login", "The wallet's request");
    if (arrivals.length === 0) fail("The domain's file names the host, but the wallet sends no response.");
  },
  "9.1-file": isNone({
    "a file that is not JSON": inForm((text) => text.slice(0, -1)),
    "a file of more than 8 KB": inForm((text) => text.replace("{", `{"more":"${"x".repeat(8 * 1024)}",`)),
    "a page of HTML": inForm((text) => text, { type: "text/html" }),
    "a file with status 404": inForm((text) => text, { status: 404 }),
    "a file that names its hosts twice": inForm((text) =>
      text.replace("{", '{"webhook_hosts":["other.example"],'),
    ),
    "a file with a byte order mark": inForm((text) => `\ufeff${text}`),
  }),
  "9.1-domain": isNone({
    "a file of another domain": ({ host }) => honest({ domain: "shop.example", host }),
    "a file without a domain":
      ({ host }) =>
      (response) =>
        answerFile(response, JSON.stringify({ webhook_hosts: [host] })),
  }),
  "9.1-hosts": isNone({
    "a file that names another host": withHosts(() => ["other.example"]),
    "a file that names a parent of the host": withHosts((host) => [host.slice(host.indexOf(".") + 1)]),
    "a file with a wildcard": withHosts((host) => [`*${host.slice(host.indexOf("."))}`]),
    "a file that names the host with a port": withHosts((host) => [`${host}:80`]),
    "a file that names the host in capitals": withHosts((host) => [host.toUpperCase()]),
    "a file that names six hosts": withHosts((host) => [
      host,
      ...[..."abcde"].map((name) => `${name}.example`),
    ]),
    "a file that also names an invalid host": withHosts((host) => [host, 1]),
    "a file without a list of hosts": withHosts((host) => host),
  }),
  async "9.2-redirect"(trial) {
    await requireAsking(trial);
    const redirecting: typeof honest = (names) => (response, path) =>
      path === "/moved"
        ? honest(names)(response, path)
        : response.writeHead(302, { Location: "/moved" }).end();
    const shown = await show(trial, redirecting);
    if (shown.asked.some(({ path }) => path === "/moved")) fail("The wallet follows a 302.");
    expectRefusal(shown, "a code whose domain redirects to its file");
  },
  "9.2-in-time": startsEarly(async (trial) => {
    await requireAsking(trial);
    const late: typeof honest = (names) => (response, path) =>
      setTimeout(() => honest(names)(response, path), 5_000);
    expectRefusal(await show(trial, late), "a code whose domain takes five seconds for its file");
  }),
  async "9.2-kept"(trial) {
    await requireAsking(trial);
    const missing: typeof honest = () => (response) => response.writeHead(404).end();
    const brief: typeof honest = (names) => (response, path) => {
      response.setHeader("Cache-Control", "max-age=0");
      honest(names)(response, path);
    };
    const files = { "a file": honest, "a file with max-age=0": brief, "no file": missing };
    for (const [what, answerOf] of Object.entries(files)) {
      const names = { domain: newLocalhostName("shop"), host: newLocalhostName("api") };
      await show(trial, answerOf, { names });
      const { asked } = await show(trial, answerOf, { names });
      if (asked.length > 0)
        fail(`After ${what} the wallet fetches the file again for the domain's next code.`);
    }
  },
  async "9.2-no-cookies"(trial) {
    const { asked } = await requireAsking(trial);
    for (const request of asked) expectNoIdentifyingHeaders(request);
  },
  async "9.2-not-before"(trial) {
    await requireAsking(trial);
    const { asked } = await show(trial, honest, { age: 60 });
    if (asked.length > 0) fail("The wallet fetches the file for a code that has expired.");
  },
  async "9.2-https"(trial) {
    await requireAsking(trial);
    const domain = findOuterAddress();
    const { port } = await trial.domains();
    const listener = await openHostileSite({ address: domain, port }).catch(() => {
      skip(`Port ${port} of ${domain} cannot be opened.`);
    });
    try {
      await trial.try({ webhook: "https://api.shop.example/webhook/login", domain });
      if (listener.arrivals.length > 0) fail("The wallet fetches the file over HTTP.");
    } finally {
      listener.close();
    }
  },
} satisfies Rules<Trial, WalletId>;
