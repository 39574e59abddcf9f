import { getRandomValues } from "node:crypto";
import type { Page } from "playwright/test";
import { type AddressType, deriveAddress, signMessage } from "../bitcoin-address.ts";
import { checkPayload } from "../check-payload.ts";
import { computeFingerprint, deriveKey } from "../derive-key.ts";
import { fetchDelegation } from "../fetch-delegation.ts";
import { type Payload, readDeviceTime, readPayload } from "../read-payload.ts";
import { explainServiceResponse, readServiceReply } from "../read-service-reply.ts";
import { createWalletResponse, generateInstallationId, signChallenge } from "../wallet-response.ts";
import { getPage, type Screen, waitForCode } from "./wait-for-code.ts";

export type SiteResponse = {
  /** 200 if the site accepted the response. */
  status: number;
  /** docs/protocol.md#21-errors; "" if the site accepted the response, and in fast login. */
  code: string;
  /** From the site; "" if the site accepted the response. */
  message: string;
  /** From the wallet to its user. */
  advice: string;
};

export type WalletOptions = {
  /** For fast login; `p2wpkh` by default. */
  addressType?: AddressType;
  /** Hosts that the user trusts with answers for sites on other hosts. */
  trustedHosts?: readonly string[];
  /** 20 seconds by default. */
  codeTimeoutMs?: number;
};

/** A page, a part of a page, or the code's text. */
export type CodeSource = Screen | string;

const SEED_BYTES = 64;
const FORM = "application/x-www-form-urlencoded";

/**
 * Has a new seed. It reads the code on a page, refuses what a real wallet refuses, signs, and posts to the site's own
 * webhook. It supports the login, the hosted login and the fast login.
 */
export class Wallet {
  readonly #seed = getRandomValues(new Uint8Array(SEED_BYTES));
  readonly #device = { platform: "test", version: "1", installation: generateInstallationId() };
  readonly #addressType: AddressType;
  readonly #trustedHosts: readonly string[];
  readonly #codeTimeoutMs: number | undefined;

  constructor({ addressType = "p2wpkh", trustedHosts = [], codeTimeoutMs }: WalletOptions = {}) {
    this.#addressType = addressType;
    this.#trustedHosts = trustedHosts;
    this.#codeTimeoutMs = codeTimeoutMs;
  }

  /** For fast login. */
  get address(): string {
    return deriveAddress(this.#seed, this.#addressType).address;
  }

  /** Uncompressed, in hex. */
  publicKey(domain: string): string {
    return deriveKey(this.#seed, domain).publicKey;
  }

  /** As sites and wallets show it: four groups of four digits. */
  fingerprint(domain: string): string {
    return computeFingerprint(this.publicKey(domain));
  }

  /**
   * Regardless of the code's purpose: a login, a registration, an approval, …
   * @throws {Error} if no code is shown, if a wallet would refuse it, or if the site does not accept the answer
   */
  async approve(source: CodeSource): Promise<void> {
    const { status, code, message, advice } = await this.answer(source);
    if (status === 200) return;
    const refusal = [status, code, message].filter(Boolean).join(" ");
    throw new Error(`The site did not accept the wallet's answer: ${refusal}. A wallet says: ${advice}`);
  }

  /** For answers that the site should refuse. */
  async answer(source: CodeSource): Promise<SiteResponse> {
    return this.#send(await this.#readAccepted(source), false);
  }

  /** Signs a different text. A site refuses this answer with 406, or with 401 in fast login. */
  async forge(source: CodeSource): Promise<SiteResponse> {
    return this.#send(await this.#readAccepted(source), true);
  }

  /** Sends no response, as wallets do. First checks that a wallet could have approved the code. */
  async decline(source: CodeSource): Promise<void> {
    await this.#readAccepted(source);
  }

  /**
   * Signs in through the site's endpoints without showing a code, for tests of later steps. If the wallet has no user
   * yet, the site creates one.
   * @returns the URL to which the sign-in sends the browser
   */
  async signIn({ request }: Pick<Page, "request">): Promise<string> {
    const { sid, qr } = await (await request.get("/api/svc/qr?mode=register")).json();
    await this.approve(qr);
    const { csrfToken } = await (await request.get("/api/auth/csrf")).json();
    const form = { csrfToken, sid, json: "true" };
    const response = await request.post("/api/auth/callback/svc", { form });
    if (!response.ok())
      throw new Error(`The site did not sign anyone in: ${response.status()} ${response.url()}`);
    return (await response.json()).url;
  }

  /** @throws {Error} with the wallet's message, if a wallet would not answer the code */
  async #readAccepted(source: CodeSource): Promise<Payload> {
    const payload = readPayload(
      typeof source === "string" ? source : await waitForCode(source, this.#codeTimeoutMs),
    );
    if (typeof source !== "string") refuseOtherSite(payload, getPage(source).url());
    const delegation = await this.#fetchDelegation(payload);
    checkPayload(payload, { now: readDeviceTime(), trustedHosts: this.#trustedHosts, delegation });
    return payload;
  }

  /** Undefined if the response goes to the site's own host or a trusted host. */
  async #fetchDelegation({ domain, webhook }: Payload) {
    const { hostname } = new URL(webhook);
    if (hostname === domain || this.#trustedHosts.includes(hostname)) return null;
    return (await fetchDelegation(domain)).delegation;
  }

  #send(payload: Payload, forged: boolean): Promise<SiteResponse> {
    if (payload.kind === "fast") {
      const key = deriveAddress(this.#seed, this.#addressType);
      const { sig } = signMessage(forged ? "something else" : payload.signed, key);
      const fields = { ...signMessage(payload.signed, key), sig };
      return postAnswer(payload, FORM, new URLSearchParams(fields).toString());
    }
    const key = deriveKey(this.#seed, payload.domain);
    const response = createWalletResponse(payload, key, this.#device, readDeviceTime());
    if (forged) response.signature = signChallenge("something else", key.privateKey);
    return postAnswer(payload, "application/json", JSON.stringify(response));
  }
}

/** A user, too, compares the wallet's domain with the page's. */
function refuseOtherSite({ domain }: Payload, page: string): void {
  if (domain === new URL(page).hostname) return;
  throw new Error(
    `The code on ${page} is for ${domain}: who scans it would not find the name of the page in the wallet. APP_URL, or the domain of the session, has to be the host that the test opens.`,
  );
}

/**
 * Posts only once, so that a test sees a failure that a wallet would retry.
 * @throws {Error} if no server responds at the webhook
 */
async function postAnswer(payload: Payload, contentType: string, body: string): Promise<SiteResponse> {
  const { webhook } = payload;
  const headers = { "content-type": contentType, accept: "application/json, text/plain;q=0.9" };
  const response = await fetch(webhook, { method: "POST", headers, body, redirect: "manual" }).catch(
    (cause) => {
      throw new Error(
        `Nothing answers at the webhook of the code, ${webhook}. Is APP_URL where the site runs?`,
        { cause },
      );
    },
  );
  const { status } = response;
  const { code, message } = await readServiceReply(response, webhook);
  const retryAfter = Number(response.headers.get("retry-after")) || null;
  const advice = explainServiceResponse(payload, { status, code, retryAfter, unsure: false });
  return status === 200 ? { status, code: "", message: "", advice } : { status, code, message, advice };
}
