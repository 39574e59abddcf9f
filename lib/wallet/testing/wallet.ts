import { getRandomValues } from "node:crypto";
import type { Page } from "playwright/test";
import { askDomain } from "../ask-domain.ts";
import { checkFastPayload, checkPayload } from "../check-payload.ts";
import { type AddressType, deriveAddress } from "../derive-address.ts";
import { deriveKey } from "../derive-key.ts";
import { deviceInfo, makeInstallation } from "../device-info.ts";
import { fingerprint } from "../fingerprint.ts";
import { type ChallengePayload, type Payload, readPayload } from "../read-payload.ts";
import { makeWalletResponse, signChallenge } from "../sign-challenge.ts";
import { signMessage } from "../sign-message.ts";
import { type Answer, postAnswer } from "./post-answer.ts";
import { pageOf, type Screen, shownCode } from "./shown-code.ts";

export type WalletOptions = {
  /** What it signs fast login with; `p2wpkh` by default. */
  addressType?: AddressType;
  /** Hosts that may take answers for sites on other hosts, as its user would have said by hand. */
  trustedHosts?: readonly string[];
  /** How long a page may take to show a code (ms); 20 seconds by default. */
  codeTimeoutMs?: number;
};

/** Where the code is: on a page, in a part of one, or at hand as text. */
export type Shown = Screen | string;

const SEED_BYTES = 64;
const FORM = "application/x-www-form-urlencoded";

/**
 * A wallet for browser tests, with a seed that nobody has seen. It reads the code that a page shows, refuses what a
 * wallet refuses, signs, and answers the site's own webhook: codes of the login, of hosted login and of fast login.
 */
export class Wallet {
  readonly #seed = getRandomValues(new Uint8Array(SEED_BYTES));
  readonly #device = { platform: "test", version: "1", installation: makeInstallation() };
  readonly #addressType: AddressType;
  readonly #trustedHosts: readonly string[];
  readonly #codeTimeoutMs: number | undefined;

  constructor({ addressType = "p2wpkh", trustedHosts = [], codeTimeoutMs }: WalletOptions = {}) {
    this.#addressType = addressType;
    this.#trustedHosts = trustedHosts;
    this.#codeTimeoutMs = codeTimeoutMs;
  }

  /** Its Bitcoin address, which fast login knows it by. */
  get address(): string {
    return deriveAddress(this.#seed, this.#addressType).address;
  }

  /** Its public key for a domain, hex, uncompressed: at every domain another one. */
  publicKey(domain: string): string {
    return deriveKey(this.#seed, domain).publicKey;
  }

  /** The key for a domain as sites and wallets show it to people: four groups of four digits. */
  fingerprint(domain: string): string {
    return fingerprint(this.publicKey(domain));
  }

  /**
   * Approves the code that is shown, whatever it asks for: a login, a registration, an approval, …
   * @throws {Error} when no code is shown, when a wallet would refuse it, and when the site does not accept the answer
   */
  async approve(shown: Shown): Promise<void> {
    const { status, code, message, advice } = await this.answer(shown);
    if (status === 200) return;
    const refusal = [status, code, message].filter(Boolean).join(" ");
    throw new Error(`The site did not accept the wallet's answer: ${refusal}. A wallet says: ${advice}`);
  }

  /** Approves the code, and returns what the site answered: for the answers that it should refuse. */
  async answer(shown: Shown): Promise<Answer> {
    return this.#send(await this.#readAccepted(shown), false);
  }

  /** Answers the code with a signature of something else; a site says 406, or 401 in fast login. */
  async forge(shown: Shown): Promise<Answer> {
    return this.#send(await this.#readAccepted(shown), true);
  }

  /** Declines the code: makes sure that a wallet could have approved it, and sends nothing, as wallets do. */
  async decline(shown: Shown): Promise<void> {
    await this.#readAccepted(shown);
  }

  /**
   * Signs a page's browser in without showing a code, through the site's endpoints: for tests of what comes after.
   * The user is the wallet's, or a new one.
   * @returns where the sign-in sends the browser
   */
  async signIn({ request }: Pick<Page, "request">): Promise<string> {
    const { sid, qr } = await (await request.get("/api/svc/qr?mode=register")).json();
    await this.approve(qr);
    const { csrfToken } = await (await request.get("/api/auth/csrf")).json();
    const form = { csrfToken, sid, json: "true" };
    const response = await request.post("/api/auth/callback/svc", { form });
    if (!response.ok()) throw new Error(`The site signed nobody in: ${response.status()} ${response.url()}`);
    return (await response.json()).url;
  }

  /** @throws {Error} what a wallet tells its user about a code that it does not answer */
  async #readAccepted(shown: Shown): Promise<Payload> {
    const payload = readPayload(
      typeof shown === "string" ? shown : await shownCode(shown, this.#codeTimeoutMs),
    );
    if (typeof shown !== "string") refuseOtherSite(payload, pageOf(shown).url());
    const now = Date.now() / 1000;
    if (payload.kind === "fast") checkFastPayload(payload, now);
    else {
      const delegation = await this.#askDomain(payload);
      checkPayload(payload, { now, trustedHosts: this.#trustedHosts, delegation });
    }
    return payload;
  }

  /** What the site says of who may take its answers, where another host takes this one. */
  async #askDomain({ challenge: { domain }, webhook }: ChallengePayload) {
    const { hostname } = new URL(webhook);
    if (hostname === domain || this.#trustedHosts.includes(hostname)) return null;
    return (await askDomain(domain)).delegation;
  }

  #send(payload: Payload, forged: boolean): Promise<Answer> {
    if (payload.kind === "fast") {
      const key = deriveAddress(this.#seed, this.#addressType);
      const { sig } = signMessage(forged ? "something else" : payload.url, key);
      const fields = { ...signMessage(payload.url, key), sig };
      return postAnswer(payload, FORM, new URLSearchParams(fields).toString());
    }
    const { domain } = payload.challenge;
    const key = deriveKey(this.#seed, domain);
    const response = makeWalletResponse(payload, key, deviceInfo(this.#device, domain), Date.now() / 1000);
    if (forged) response.signature = signChallenge("something else", key.privateKey);
    return postAnswer(payload, "application/json", JSON.stringify(response));
  }
}

/** A person sees the domain in the wallet and the page on the screen: they have to be the same site. */
function refuseOtherSite(payload: Payload, page: string): void {
  const named = payload.kind === "fast" ? new URL(payload.url).hostname : payload.challenge.domain;
  if (named === new URL(page).hostname) return;
  throw new Error(
    `The code on ${page} is for ${named}: who scans it would not find the name of the page in the wallet. APP_URL, or the domain of the session, has to be the host that the test opens.`,
  );
}
