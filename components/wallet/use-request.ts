"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { answerChallenge } from "#lib/wallet/answer-challenge.ts";
import { answerFast } from "#lib/wallet/answer-fast.ts";
import { secondsLeft } from "#lib/wallet/check-payload.ts";
import type { DeliveryResult, Surroundings } from "#lib/wallet/deliver.ts";
import type { AddressType } from "#lib/wallet/derive-address.ts";
import type { Payload } from "#lib/wallet/read-payload.ts";
import { type Confirmation, lockProblem } from "./lock.ts";
import { rememberSite, type Site, trustedHosts, trustHost } from "./places.ts";
import { renewRequest } from "./renew-request.ts";
import {
  askAbout,
  domainOf,
  readRequest,
  refuse,
  type TrustQuestion,
  type WalletRequest,
} from "./request.ts";
import { nowSeconds, useCodeLife } from "./use-code-life.ts";
import { type OpenedWallet, openWallet } from "./vault.ts";
import { WALLET_VERSION } from "./version.ts";
import { retrySentence } from "./wallet-status.ts";

const PLATFORM = "web";

/** What the person decided with their approval. */
export type Approval = Confirmation & {
  /** 0 for the first account on the domain. */
  account: number;
  /** With which address fast login's code is answered. */
  addressType: AddressType;
};

/** The code that is being asked about, however it came, and what can be done with it. */
export function useRequest(onChanged: () => void) {
  const [request, setRequest] = useState<WalletRequest | null>(null);
  const cancelling = useRef<AbortController>(null);

  const ask = useCallback(async (payload: Payload) => {
    const hosts = await trustedHosts(domainOf(payload)).catch(() => []);
    setRequest(askAbout(payload, { now: nowSeconds(), trustedHosts: hosts }));
  }, []);
  const open = useCallback(
    async (text: string) => {
      cancelling.current?.abort();
      const read = readRequest(text);
      if ("phase" in read) setRequest(read);
      else await ask(read);
    },
    [ask],
  );
  useLinks(open);
  const renew = useCallback(async (next: Payload) => {
    const hosts = await trustedHosts(domainOf(next)).catch(() => []);
    const expectation = { now: nowSeconds(), trustedHosts: hosts };
    setRequest((current) => current && renewRequest(current, next, expectation));
  }, []);
  useCodeLife(request, setRequest, renew);

  const trust = useCallback(
    async (pair: TrustQuestion) => {
      if (request?.phase !== "refused" || !request.payload) return;
      await trustHost(pair);
      await ask(request.payload);
      onChanged();
    },
    [request, ask, onChanged],
  );

  const approve = useCallback(
    async ({ passphrase, ...approval }: Approval) => {
      if (request?.phase !== "asking") return;
      const { payload } = request;
      cancelling.current = new AbortController();
      // The device's prompt ends with the challenge.
      const signal = AbortSignal.any([
        cancelling.current.signal,
        AbortSignal.timeout(secondsLeft(payload, nowSeconds()) * 1000),
      ]);
      let shown: WalletRequest = { phase: "confirming", payload };
      setRequest(shown);
      // A newer code that came meanwhile keeps its place.
      const settle = (next: WalletRequest) => {
        const before = shown;
        shown = next;
        setRequest((current) => (current === before ? next : current));
      };
      try {
        const wallet = await openWallet({ passphrase, signal });
        if (!wallet) {
          // Wiped in another tab: the page has to notice, and the question stands until it runs out.
          settle({ phase: "asking", payload });
          return onChanged();
        }
        settle({ phase: "sending", payload });
        const result = await answer(payload, wallet, approval, (retry) =>
          settle({ phase: "sending", payload, retry }),
        );
        if (result.ok) onChanged();
        settle({ phase: "answered", payload, result });
      } catch (error) {
        const problem = lockProblem(error);
        settle(problem === null ? refuse(payload, error) : { phase: "asking", payload, problem });
      }
    },
    [request, onChanged],
  );

  const cancel = useCallback(() => cancelling.current?.abort(), []);
  const decline = useCallback(() => setRequest({ phase: "declined" }), []);
  const close = useCallback(() => setRequest(null), []);
  return { request, open, approve, cancel, decline, close, trust };
}

async function answer(
  payload: Payload,
  wallet: OpenedWallet,
  choice: Pick<Approval, "account" | "addressType">,
  onRetry: (reason: string) => void,
): Promise<DeliveryResult> {
  const { site, result } = await sign(payload, wallet, choice, {
    onRetry: ({ reason }) => onRetry(retrySentence(reason)),
  });
  if (result.ok) await rememberSite({ ...site, lastUsedAt: Date.now() });
  return result;
}

type Answered = { site: Omit<Site, "lastUsedAt">; result: DeliveryResult };

/** Signs and delivers: with the domain's own key, or in fast login with the address that was chosen. */
async function sign(
  payload: Payload,
  { seed, installation }: OpenedWallet,
  { account, addressType: type }: Pick<Approval, "account" | "addressType">,
  surroundings: Surroundings,
): Promise<Answered> {
  const domain = domainOf(payload);
  try {
    if (payload.kind === "fast") {
      const { key, ...result } = await answerFast(payload, { seed, type, account: 0 }, surroundings);
      return { site: { domain, account: key.account, address: key.address }, result };
    }
    const device = { platform: PLATFORM, version: WALLET_VERSION, installation };
    const expected = { trustedHosts: await trustedHosts(domain) };
    const { key, ...result } = await answerChallenge(
      payload,
      { seed, account, device },
      expected,
      surroundings,
    );
    return { site: { domain, account, fingerprint: key.fingerprint }, result };
  } finally {
    seed.fill(0);
  }
}

/** Opens the payload of a link to this page, now and whenever another one comes. */
function useLinks(open: (text: string) => void): void {
  useEffect(() => {
    const openLink = () => {
      const text = takeFragment();
      if (text !== null) open(text);
    };
    openLink();
    window.addEventListener("hashchange", openLink);
    return () => window.removeEventListener("hashchange", openLink);
  }, [open]);
}

/** The payload of a link, `/wallet#<encodeURIComponent(payload)>`, taken out of the address bar and history. */
function takeFragment(): string | null {
  const fragment = window.location.hash.slice(1);
  if (fragment === "") return null;
  window.history.replaceState(null, "", window.location.pathname + window.location.search);
  try {
    return decodeURIComponent(fragment);
  } catch {
    // Not encoded as the login page does it: read as it stands, and refused in words.
    return fragment;
  }
}
