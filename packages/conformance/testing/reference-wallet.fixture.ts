import { createHash } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { WalletCommand } from "../wallet/trial.ts";
import { exchange } from "./reference.fixture.ts";

/**
 * Runs in this process. A test can plant faults.
 * @param askingPort the port at which the wallet fetches delegation files from domains on this machine
 */
export function createReferenceWallet(faults: readonly string[] = [], askingPort = 80): WalletCommand {
  const has = (fault: string) => faults.includes(fault);
  const seed = createHash("sha256").update(faults.join()).update(String(Math.random())).digest();
  const cachedFiles = new Map<string, FileAnswer>();

  return async (payload, wantedAction) => {
    let output = "";
    const print = (line: string) => {
      output += `${line}\n`;
    };
    try {
      const { webhook, challenge, action, domain, issuedAt, intent } = await read(payload, wantedAction);
      const query = new URL(payload).searchParams;
      const asking = has("asks-nobody") || has("asks-late") ? null : await findAsking(webhook, query);
      if (asking !== null) {
        if (asking.intent !== intent && !has("payload-believed"))
          throw new Error("The site says that this code asks for something else.");
        print(`${asking.name} asks.`);
      }
      if (!has("silent")) print(`Sign in to ${domain}? (${intent ?? action})`);
      const accepted = await deliver(webhook, sign(domain, challenge, intent), issuedAt, print);
      if (has("asks-late")) await findAsking(webhook, query);
      return { status: accepted ? 0 : 1, output };
    } catch (error) {
      print(error instanceof Error ? error.message : String(error));
      return { status: has("always-well") ? 0 : 1, output };
    }
  };

  async function read(payload: string, wantedAction: string) {
    const query = new URL(payload).searchParams;
    const names = [...query.keys()];
    if (new Set(names).size < names.length && !has("twice-taken"))
      throw new Error("A parameter comes twice.");
    if (names.some((name) => !KNOWN.includes(name)) && has("strict")) throw new Error("Unknown parameter.");
    const webhook = query.get("webhook") ?? "";
    const challenge = query.get("challenge") ?? "";
    const parts = CHALLENGE.exec(challenge);
    if (!parts && !has("signs-anything")) throw new Error("This is no challenge.");
    const { action = "login", domain = "localhost", time = "" } = parts?.groups ?? {};
    const issuedAt = Number(time) || Date.now() / 1000;
    const age = Date.now() / 1000 - (has("ts-trusted") ? Number(query.get("ts")) : issuedAt);
    if (has("asks-early") && !cachedFiles.has(domain)) await ask(domain);
    if (age > 30 && !has("old-answered")) throw new Error("This code has expired.");
    if (age < -30 && !has("future-answered")) throw new Error("This code is from the future.");
    if (action !== wantedAction && !has("any-action")) throw new Error("This code asks for something else.");
    const host = /^https?:\/\/([^/]*?)(:\d+)?\//.exec(webhook)?.[1] ?? "";
    const written = has("any-credentials") ? host.split("@").at(-1) : host;
    const plain = has("disguised") ? new URL(webhook).hostname.replace(/\.$/, "") : written;
    const isLocal = isLoopback(plain ?? "");
    const takesHttp = has("any-http") || has("any-http-to-names") || has("signs-anything");
    if (!webhook.startsWith("https:") && !isLocal && !takesHttp) throw new Error("Not https.");
    const refusesAddresses = has("names-alone") || has("any-http-to-names");
    if (/^[\d.]+$/.test(domain) && refusesAddresses) throw new Error("An address is no domain.");
    if (!matches(plain ?? "", domain) && !(await isNamed(plain ?? "", domain)))
      throw new Error("The answer would go to another host.");
    const sentIntent = query.get("intent");
    const intent = has("intent-copied") || INTENTS.includes(sentIntent ?? "") ? sentIntent : null;
    return { webhook, challenge, action, domain, issuedAt, intent };
  }

  /** Null if the site does not describe the browser. */
  async function findAsking(webhook: string, query: URLSearchParams): Promise<Asking | null> {
    const parameters = new URLSearchParams({
      s: query.get("session") ?? "",
      c: query.get("challenge") ?? "",
    });
    const url = `${webhook}${has("asks-beside") ? "/asking" : ""}?${parameters}`;
    const Accept = has("question-any-type") ? "*/*" : "application/json";
    const headers = { Accept, ...(has("question-cookies") ? { Cookie: "a=b" } : {}) };
    const redirect = has("question-follows") ? "follow" : "manual";
    let status = 0;
    const signal = has("question-hangs") ? null : AbortSignal.timeout(5_000);
    try {
      const response = await fetch(url, { headers, redirect, signal });
      status = response.status;
      const isJson = (response.headers.get("content-type") ?? "").startsWith("application/json");
      if (status !== 200 || !isJson) throw new Error("The site does not say who is asking.");
      const { intent, browser } = JSON.parse(await response.text());
      const isRead = (intent === null || typeof intent === "string") && typeof browser.name === "string";
      if (!isRead) throw new Error("The site says it in another form.");
      return { intent, name: has("raw-name") ? browser.name : plain(browser.name) };
    } catch (error) {
      if (status === 200 && has("needs-asking")) throw error;
      return null;
    }
  }

  function matches(host: string, domain: string): boolean {
    if (has("any-host")) return true;
    if (has("host-ends") && host.endsWith(domain)) return true;
    if (has("host-begins") && domain.startsWith(host)) return true;
    if (has("host-goes-on") && host.startsWith(domain)) return true;
    return host === domain;
  }

  async function isNamed(host: string, domain: string): Promise<boolean> {
    if (isLoopback(host) && !isLoopback(domain)) return false;
    const { status, type, text, isBrief } = cachedFiles.get(domain) ?? (await ask(domain));
    const isForgotten =
      has("asks-again") || (isBrief && has("brief")) || (status !== 200 && has("retries-files"));
    if (!isForgotten) cachedFiles.set(domain, { status, type, text, isBrief });
    if (has("file-trusted")) return text.includes(host);
    const isWhole = status === 200 && type.startsWith("application/json") && text.length <= 8 * 1024;
    if (!isWhole || text.split('"webhook_hosts"').length !== 2) return false;
    const file = readFile(text);
    const hosts: unknown[] = Array.isArray(file.webhook_hosts) ? file.webhook_hosts : [];
    if (file.domain !== domain && !has("any-file-domain")) return false;
    if (has("wildcards") && hosts.some((one) => String(one).startsWith("*."))) return true;
    if (has("any-case")) return hosts.some((one) => String(one).toLowerCase() === host);
    if (has("long-lists")) return hosts.includes(host);
    const isHost = (one: unknown) => typeof one === "string" && /^[a-z0-9.-]+$/.test(one);
    return hosts.length <= 5 && hosts.every(isHost) && hosts.includes(host);
  }

  /** Only for loopback names, unless a fault is planted. */
  async function ask(
    domain: string,
    path = has("asks-elsewhere") ? "/svc-login" : "/.well-known/svc-login",
  ): Promise<FileAnswer> {
    const none = { status: 0, type: "", text: "", isBrief: false };
    if (!isLoopback(domain) && !has("asks-in-clear")) return none;
    const url = `http://${isLoopback(domain) ? "127.0.0.1" : domain}:${askingPort}${path}`;
    const headers = { Host: domain, ...(has("file-cookies") ? { Cookie: "a=b" } : {}) };
    const patience = has("waits-for-file") ? 0 : 3_000;
    const answer = await exchange(url, { headers, agent: false }, "", patience).catch(() => null);
    if (!answer) return none;
    const { location, "content-type": type = "", "cache-control": caching } = answer.headers;
    if (location && has("follows-to-file")) return ask(domain, location);
    return { status: answer.status, type, text: answer.text, isBrief: caching === "max-age=0" };
  }

  function sign(domain: string, challenge: string, intent: string | null): string {
    const keyed = has("one-key") ? "all" : has("random-key") ? String(Math.random()) : domain;
    const knows = domain === "localhost" && !has("other-path") && keyed === domain;
    const secretKey = knows
      ? Buffer.from(LOCALHOST_KEY, "hex")
      : createHash("sha256").update(seed).update(keyed).digest();
    const message = has("hashed-twice")
      ? createHash("sha256").update(challenge).digest()
      : Buffer.from(challenge);
    const format = has("compact") ? "compact" : "der";
    const signature = secp256k1.sign(message, secretKey, { format });
    const timestamp = has("milliseconds") ? Date.now() : Math.floor(Date.now() / 1000);
    const public_key = has("off-curve")
      ? `04${"01".repeat(64)}`
      : Buffer.from(secp256k1.getPublicKey(secretKey, false)).toString("hex");
    const device_id = createHash("sha256")
      .update(seed)
      .update(has("one-device") ? "device" : `device:${domain}`)
      .digest("hex");
    const body = {
      ...{ public_key, signature: Buffer.from(signature).toString("hex"), challenge, timestamp },
      device_info: { platform: "test", device_id },
    };
    const reportsIntent = !has("intent-untold") && !(intent === null && has("intent-only-set"));
    return JSON.stringify(
      reportsIntent ? { ...body, intent: has("intent-always-null") ? null : intent } : body,
    );
  }

  async function deliver(
    webhook: string,
    body: string,
    issuedAt: number,
    print: (line: string) => void,
  ): Promise<boolean> {
    const end = issuedAt + (has("tries-on") ? 40 : 30);
    // With the fault, every delay is long. If the delays were short, a busy machine could make the third much longer
    // than the first.
    for (let pause = has("even-pauses") ? 5 : 0.3; ; pause = Math.max(pause, Math.min(3, pause * 3))) {
      const answer = await post(webhook, body).catch(() => ({ status: 0, text: "" }));
      if (answer.status === 200 || (has("any-2xx") && answer.status >= 200 && answer.status < 300)) {
        await printAskingBrowser(webhook, answer.text, print);
        return true;
      }
      const isFinal = answer.status > 0 && answer.status < 500;
      if ((isFinal && !has("tries-after-4xx")) || has("tries-once")) {
        const message =
          JSON.parse(answer.text || "{}").error?.message ?? `The site answered ${answer.status}.`;
        print(has("says-nothing") ? "Failed." : has("raw-message") ? message : plain(message));
        return false;
      }
      if (Date.now() / 1000 + pause > end || (isFinal && pause > 0.4)) return false;
      await new Promise((resolve) => setTimeout(resolve, pause * 1000));
      if (has("signs-anew"))
        body = JSON.stringify({ ...JSON.parse(body), timestamp: Math.floor(Date.now() / 1000) + 1 });
    }
  }

  /** Also prints the URL that undoes the login. */
  async function printAskingBrowser(
    webhook: string,
    text: string,
    print: (line: string) => void,
  ): Promise<void> {
    const { browser, undo } = readFile(text) as { browser?: { name?: unknown }; undo?: unknown };
    if (has("strict-members") && browser !== undefined && typeof browser?.name !== "string")
      throw new Error("No browser is named.");
    if (has("strict-answer") && Object.keys(readFile(text)).some((name) => !ANSWERED.includes(name)))
      throw new Error("Unknown member.");
    if (typeof browser?.name === "string") print(`${plain(browser.name)} is signed in.`);
    if (typeof undo !== "string" || !URL.canParse(undo)) return;
    const { origin, username } = new URL(undo);
    if ((origin !== new URL(webhook).origin || username !== "") && !has("any-undo")) return;
    print(`To undo it: ${undo}`);
    if (has("undoes")) await post(undo, "");
  }

  async function post(webhook: string, body: string): Promise<{ status: number; text: string }> {
    const cookie: Record<string, string> = has("sends-cookies") ? { Cookie: "a=b" } : {};
    const headers = { "Content-Type": has("form-type") ? "text/plain" : "application/json", ...cookie };
    const { hostname } = new URL(webhook);
    // On many systems, only browsers can resolve names below localhost.
    const dialOptions = /\.(localhost|test)$/.test(hostname) ? { hostname: "127.0.0.1" } : {};
    const patience = has("impatient") ? 2_000 : 0;
    const url = has("query-added") ? `${webhook}?from=wallet` : webhook;
    const answer = await exchange(url, { method: "POST", headers, ...dialOptions }, body, patience);
    const { location } = answer.headers;
    return location && has("follows") ? post(location, body) : answer;
  }
}

type Asking = { intent: string | null; name: string };

const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, "");

type FileAnswer = { status: number; type: string; text: string; isBrief: boolean };

const isLoopback = (host: string) => /^(localhost|.+\.localhost|127\.0\.0\.1)$/.test(host);

function readFile(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** For `localhost`, account 0, in the test vectors (docs/wallet.md#vectors). */
const LOCALHOST_KEY = "40aafd6a325ed340e4f797eee83aac056ee3854b6d4faea9823e7dc731b3f4f5";

const INTENTS = ["add", "approve", "recover"];
const ANSWERED = ["status", "browser", "new_browser", "undo"];
const KNOWN = ["webhook", "session", "challenge", "ts", "intent"];
const CHALLENGE = /^svc:(?<action>login|register):(?<domain>[a-z0-9.-]+):(?<time>[1-9]\d*):[A-Za-z0-9]{32}$/;
