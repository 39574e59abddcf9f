"use client";

import { useCallback, useEffect, useState } from "react";
import { answerChallenge } from "#lib/wallet/answer-challenge.ts";
import { answerFast } from "#lib/wallet/answer-fast.ts";
import type { DeliveryResult } from "#lib/wallet/deliver.ts";
import type { AddressType } from "#lib/wallet/derive-address.ts";
import type { Payload } from "#lib/wallet/read-payload.ts";
import { domainOf, expireRequest, openRequest, refuse, type WalletRequest } from "./request.ts";
import { type OpenedWallet, openWallet, rememberSite, type Site } from "./vault.ts";

const PLATFORM = "web";
const WALLET_VERSION = "1.0.0";
/** This page has one account for each domain; the derivation has more. */
const ACCOUNT = 0;

/** The code that is being asked about, from a link or from pasting, and what can be done with it. */
export function useRequest(trustedHosts: readonly string[], onChanged: () => void) {
  const [request, setRequest] = useState<WalletRequest | null>(null);

  const open = useCallback(
    (text: string) => setRequest(openRequest(text, nowSeconds(), trustedHosts)),
    [trustedHosts],
  );

  useEffect(() => {
    const openLink = () => {
      const text = takeFragment();
      if (text !== null) open(text);
    };
    openLink();
    window.addEventListener("hashchange", openLink);
    return () => window.removeEventListener("hashchange", openLink);
  }, [open]);

  const asked = request?.phase === "asking" ? request.payload : null;
  useEffect(() => {
    if (asked === null) return;
    const timer = setInterval(
      () => setRequest((current) => current && expireRequest(current, nowSeconds())),
      500,
    );
    return () => clearInterval(timer);
  }, [asked]);

  const approve = useCallback(
    async (addressType: AddressType) => {
      if (request?.phase !== "asking") return;
      const { payload } = request;
      const sending: WalletRequest = { phase: "sending", payload };
      setRequest(sending);
      // A newer code that came meanwhile keeps its place.
      const settle = (next: WalletRequest) => setRequest((current) => (current === sending ? next : current));
      try {
        const wallet = await openWallet();
        if (!wallet) {
          // Wiped in another tab: the page has to notice, and the question stands until it runs out.
          settle(request);
          return onChanged();
        }
        const { site, result } = await answer(payload, wallet, addressType, trustedHosts);
        wallet.seed.fill(0);
        if (result.ok) {
          await rememberSite({ ...site, lastUsedAt: Date.now() });
          onChanged();
        }
        settle({ phase: "answered", payload, result });
      } catch (error) {
        settle(refuse(payload, error));
      }
    },
    [request, trustedHosts, onChanged],
  );

  const decline = useCallback(() => setRequest({ phase: "declined" }), []);
  const close = useCallback(() => setRequest(null), []);

  return { request, open, approve, decline, close };
}

type Answered = { site: Omit<Site, "lastUsedAt">; result: DeliveryResult };

/** Signs and delivers: with the domain's own key, or in flow C with the address that was chosen. */
async function answer(
  payload: Payload,
  { seed, installation }: OpenedWallet,
  type: AddressType,
  trustedHosts: readonly string[],
): Promise<Answered> {
  if (payload.kind === "fast") {
    const { key, ...result } = await answerFast(payload, { seed, type, account: ACCOUNT });
    return { site: { domain: domainOf(payload), account: key.account, address: key.address }, result };
  }
  const device = { platform: PLATFORM, version: WALLET_VERSION, installation };
  const answerer = { seed, account: ACCOUNT, device };
  const { key, ...result } = await answerChallenge(payload, answerer, { trustedHosts });
  const { domain, account, fingerprint } = key;
  return { site: { domain, account, fingerprint }, result };
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

function nowSeconds(): number {
  return Date.now() / 1000;
}
