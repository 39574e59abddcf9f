import { answerCode, type CodeAnswer, type ResponseSigner } from "./answer-code.ts";
import { type AskingBrowser, findAskingBrowser } from "./asking-browser.ts";
import { assertCodeIsCurrent, type PayloadExpectation } from "./check-payload.ts";
import { type Action, countSecondsLeft, type Payload } from "./read-payload.ts";
import {
  createExpiredRequest,
  createRefusedRequest,
  currentSiteTime,
  expireRequest,
  fetchExpectation,
  readExpectation,
  readRequest,
  renewRequest,
  type SiteRecords,
  toLoginIdentity,
  toWalletRequest,
  type WalletRequest,
} from "./request.ts";
import type { RequestEnvironment } from "./send-site-request.ts";
import { createSiteClock } from "./site-clock.ts";
import { WalletError } from "./wallet-error.ts";

/**
 * Undefined until the site has described the browser or the request has timed out; null if the site does not describe
 * it.
 */
export type AskingBrowserState = AskingBrowser | null | undefined;

export type RequestFlowState = {
  readonly request: WalletRequest | null;
  readonly asking: AskingBrowserState;
};

type FlowOptions = {
  /** Absent in a wallet that stores no data, which does not ask sites which hosts may receive answers. */
  siteRecords?: SiteRecords;
  /** For a wallet without stored site records: trusted with the answers for every domain. */
  trustedHosts?: readonly string[];
  /** If absent, the code may have either action. */
  action?: Action;
};

const RETRIES = {
  unreachable: "No answer yet. Trying again…",
  server_error: "The site has a problem. Trying again…",
};

/**
 * From the scanned text to the site's response, one code at a time. The browser's wallet, the temporary wallet and the
 * command line show the state of this flow and pass on their users' decisions.
 */
export class RequestFlow {
  readonly siteClock = createSiteClock();
  readonly #options: FlowOptions;
  readonly #listeners = new Set<() => void>();
  #state: RequestFlowState = { request: null, asking: null };
  #described: { login: string; browser: AskingBrowser | null } | null = null;
  /** `done` settles when the site has described the browser. */
  #describing: { challenge: string; done: Promise<void> } | null = null;

  constructor(options: FlowOptions = {}) {
    this.#options = options;
  }

  /** The same object until something changes. */
  readonly state = (): RequestFlowState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Resolves when all details for the question have arrived. */
  async open(text: string): Promise<void> {
    const read = readRequest(text);
    if ("phase" in read) this.#show(read);
    else await this.ask(read);
  }

  /** Resolves when all details for the question have arrived. */
  async ask(payload: Payload): Promise<void> {
    this.#show(toWalletRequest(payload, await this.#expect(payload)));
    await this.#describing?.done;
  }

  /** The site learns that someone is about to sign in. */
  async checkReceiver(): Promise<void> {
    const { request } = this.#state;
    const { siteRecords, action } = this.#options;
    if (request?.phase !== "elsewhere" || !siteRecords) return;
    const { payload } = request;
    const looking: WalletRequest = { phase: "looking", payload };
    this.#show(looking);
    const expectation = await fetchExpectation(payload, siteRecords, this.siteClock);
    // A newer code may have arrived in the meantime.
    if (this.#state.request !== looking) return;
    // By the site's clock, the code might have expired. The other host must not receive such a code.
    const isLate = countSecondsLeft(payload, expectation.now) === 0;
    this.#show(isLate ? createExpiredRequest(payload) : toWalletRequest(payload, { ...expectation, action }));
    await this.#describing?.done;
  }

  /** @returns false if the code belongs to a different login, in which case nothing has changed */
  async renew(text: string): Promise<boolean> {
    const next = readRequest(text);
    if ("phase" in next) return false;
    const expectation = await this.#expect(next);
    const { request } = this.#state;
    const renewed = request && renewRequest(request, next, expectation);
    if (renewed === null || renewed === request) return false;
    this.#show(renewed);
    return true;
  }

  /** Call it about once a second while the question is open. */
  expire(): void {
    const { request } = this.#state;
    if (request) this.#show(expireRequest(request, this.siteClock));
  }

  /**
   * Call it only after the user has deliberately agreed. A newer code that arrives in the meantime is not replaced.
   * @param unlock opens the wallet; if it returns null because there is no wallet, the question stays open until it
   * expires
   * @param problemOf returns why the wallet did not open, if the error says so; the question then also stays open
   * @returns null if `unlock` returned null; undefined if it failed, or if no question is open
   */
  async approve(
    unlock: () => ResponseSigner | null | Promise<ResponseSigner | null>,
    { onRetry, ...environment }: RequestEnvironment = {},
    problemOf: (error: unknown) => string | null = () => null,
  ): Promise<CodeAnswer | null | undefined> {
    const { request } = this.#state;
    if (request?.phase !== "asking") return undefined;
    const { payload } = request;
    let current: WalletRequest = request;
    const settle = (next: WalletRequest) => {
      const replaced = current;
      current = next;
      if (this.#state.request === replaced) this.#show(next);
    };
    try {
      settle({ phase: "confirming", payload });
      // Runs before the wallet is opened, because nothing must delay wiping the wallet's seed.
      const expected = await this.#expect(payload);
      const answerer = await unlock();
      if (answerer === null) {
        settle({ phase: "asking", payload });
        return null;
      }
      settle({ phase: "sending", payload });
      const result = await answerCode(payload, answerer, expected, {
        ...environment,
        now: () => this.siteClock.now(payload),
        onRetry: (retry) => {
          settle({ phase: "sending", payload, retry: RETRIES[retry.reason] });
          onRetry?.(retry);
        },
      });
      // The site has accepted the answer, even if this wallet cannot record that.
      if (result.ok) await this.#options.siteRecords?.rememberSite(payload, result.key).catch(() => {});
      settle({
        phase: "answered",
        payload,
        result,
        keyName: result.key.fingerprint ?? result.key.address,
      });
      return result;
    } catch (error) {
      const problem = problemOf(error);
      settle(problem === null ? createRefusedRequest(payload, error) : { phase: "asking", payload, problem });
      return undefined;
    }
  }

  decline(): void {
    this.#show({ phase: "declined" });
  }

  close(): void {
    this.#show(null);
  }

  async #expect(payload: Payload): Promise<PayloadExpectation> {
    const { siteRecords, trustedHosts, action } = this.#options;
    if (!siteRecords) return { ...currentSiteTime(payload, this.siteClock), trustedHosts, action };
    return { ...(await readExpectation(payload, siteRecords, this.siteClock)), action };
  }

  #show(request: WalletRequest | null): void {
    const askingBrowser = this.#askedBrowser(request);
    if (request === this.#state.request && askingBrowser === this.#state.asking) return;
    this.#state = { request, asking: askingBrowser };
    for (const listener of this.#listeners) listener();
  }

  /**
   * All codes of a login come from the same browser, so the last description stays valid until the next description
   * arrives.
   */
  #askedBrowser(request: WalletRequest | null): AskingBrowserState {
    const payload = askedPayload(request);
    if (payload?.challenge !== this.#describing?.challenge) {
      this.#describing = payload && { challenge: payload.challenge, done: this.#describe(payload) };
    }
    // Fast-login sites have no endpoint that describes the browser.
    if (payload === null || payload.kind === "fast") return null;
    return this.#described?.login === toLoginIdentity(payload) ? this.#described.browser : undefined;
  }

  /** Refuses the code if the site does not accept it or it has expired by the site's clock. */
  async #describe(payload: Payload): Promise<void> {
    const isPresent = () => this.#describing?.challenge === payload.challenge;
    try {
      const browser = await findAskingBrowser(payload, this.#options.siteRecords ?? null, {
        siteClock: this.siteClock,
      });
      assertCodeIsCurrent(payload, currentSiteTime(payload, this.siteClock));
      if (!isPresent()) return;
      this.#described = { login: toLoginIdentity(payload), browser };
      this.#show(this.#state.request);
    } catch (error) {
      // If a response has already been sent, the site decides whether to accept it.
      if (!isPresent() || this.#state.request?.phase !== "asking") return;
      const isLate = error instanceof WalletError && error.code === "challenge_expired";
      this.#show(isLate ? createExpiredRequest(payload, error) : createRefusedRequest(payload, error));
    }
  }
}

function askedPayload(request: WalletRequest | null): Payload | null {
  switch (request?.phase) {
    case "asking":
    case "confirming":
    case "sending":
      return request.payload;
    default:
      return null;
  }
}
