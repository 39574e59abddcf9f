"use client";

import { useCallback, useEffect, useState } from "react";
import { answerChallenge } from "#lib/wallet/answer-challenge.ts";
import { expireRequest, openRequest, refuse, type WalletRequest } from "./request.ts";
import { openWallet, rememberSite } from "./vault.ts";

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

  const issuedAt = request?.phase === "asking" ? request.payload.challenge.issuedAt : null;
  useEffect(() => {
    if (issuedAt === null) return;
    const timer = setInterval(
      () => setRequest((current) => current && expireRequest(current, nowSeconds())),
      500,
    );
    return () => clearInterval(timer);
  }, [issuedAt]);

  const approve = useCallback(async () => {
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
      const device = { platform: PLATFORM, version: WALLET_VERSION, installation: wallet.installation };
      const answerer = { seed: wallet.seed, account: ACCOUNT, device };
      const { key, ...result } = await answerChallenge(payload, answerer, { trustedHosts });
      wallet.seed.fill(0);
      if (result.ok) {
        const { domain, account, fingerprint } = key;
        await rememberSite({ domain, account, fingerprint, lastUsedAt: Date.now() });
        onChanged();
      }
      settle({ phase: "answered", payload, result });
    } catch (error) {
      settle(refuse(payload, error));
    }
  }, [request, trustedHosts, onChanged]);

  const decline = useCallback(() => setRequest({ phase: "declined" }), []);
  const close = useCallback(() => setRequest(null), []);

  return { request, open, approve, decline, close };
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
