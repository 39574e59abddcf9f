"use client";

import type { AddressType } from "@svc/wallet/bitcoin-address";
import { secondsLeft } from "@svc/wallet/read-payload";
import type { TrustQuestion } from "@svc/wallet/request";
import { RequestFlow } from "@svc/wallet/request-flow";
import { WALLET_VERSION } from "@svc/wallet/wallet-response";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { browserName } from "#packages/login/protocol/browser-name.ts";
import { type Confirmation, explainLockError } from "./lock.ts";
import { useFlow } from "./use-flow.ts";
import { openWallet } from "./vault.ts";
import { listSites, SAVED_SITE_RECORDS, trustHost } from "./wallet-storage.ts";

/** The person's decision with its approval. */
type Approval = Confirmation & {
  /** 0 for the first account on the domain. */
  account: number;
  /** The type of the address that answers fast login's code. */
  addressType: AddressType;
};

/** The code that is being asked about, however it arrived, and the possible actions. */
export function useRequest(onChanged: () => void) {
  const [flow] = useState(() => new RequestFlow({ siteRecords: SAVED_SITE_RECORDS }));
  const flowState = useFlow(flow);
  const { request, setUndoable } = flowState;
  const cancelling = useRef<AbortController>(null);
  const cancel = () => cancelling.current?.abort();

  const checkIfUsedBefore = async () => {
    const { request } = flow.state();
    // Asking a site where this wallet has signed in before does not reveal anything new to it.
    if (request?.phase === "elsewhere" && (await hasUsedSite(request.payload.domain)))
      await flow.checkReceiver();
  };
  const [isFromPage, setFromPage] = useState(false);
  const open = async (text: string, fromPage = false) => {
    setFromPage(fromPage);
    cancel();
    await flow.open(text);
    await checkIfUsedBefore();
  };
  // A page that shows a code opens this one in a new tab.
  useLinks((text) => open(text, window.history.length === 1));

  const trust = async (pair: TrustQuestion) => {
    if (request?.phase !== "refused" || !request.payload) return;
    await trustHost(pair);
    onChanged();
    await flow.ask(request.payload);
    await checkIfUsedBefore();
  };
  const approve = async ({ passphrase, account, addressType }: Approval) => {
    if (request?.phase !== "asking") return;
    const { payload } = request;
    const prompt = new AbortController();
    cancelling.current = prompt;
    // The device's prompt closes when the challenge expires.
    const remainingSeconds = secondsLeft(payload, flow.siteClock.now(payload));
    const timer = setTimeout(() => prompt.abort(), remainingSeconds * 1000);
    const unlock = async () => {
      const wallet = await openWallet({ passphrase, signal: prompt.signal });
      if (!wallet) return null;
      const { seed, installation } = wallet;
      const platform = `web: ${browserName(navigator.userAgent)}`;
      const device = { platform, version: WALLET_VERSION, installation };
      // An address is the same at every site, so the wallet uses one of each type.
      return { seed, account: payload.kind === "fast" ? 0 : account, addressType, device };
    };
    const result = await flow.approve(unlock, {}, explainLockError);
    clearTimeout(timer);
    // If there is no wallet, another tab has wiped it, so the page has to be updated.
    if (result === null || result?.ok) onChanged();
  };
  const close = () => {
    flow.close();
    setUndoable((last) => (last?.undone ? null : last));
  };
  return { ...flowState, isFromPage, open, approve, cancel, close, trust };
}

async function hasUsedSite(domain: string): Promise<boolean> {
  const sites = await listSites().catch(() => []);
  return sites.some((site) => site.domain === domain);
}

/** Opens the payload of a link to this page, now and whenever another one arrives. */
function useLinks(open: (text: string) => void): void {
  const openLink = useEffectEvent(() => {
    const text = readAndClearFragment();
    if (text !== null) open(text);
  });
  useEffect(() => {
    const onHash = () => openLink();
    onHash();
    window.addEventListener("hashchange", onHash);
    return () => window.removeEventListener("hashchange", onHash);
  }, []);
}

/**
 * Returns the payload of a link, `/wallet#<encodeURIComponent(payload)>`, which is removed from the address bar and the
 * history.
 */
function readAndClearFragment(): string | null {
  const fragment = window.location.hash.slice(1);
  if (fragment === "") return null;
  window.history.replaceState(null, "", window.location.pathname + window.location.search);
  try {
    return decodeURIComponent(fragment);
  } catch {
    // The payload is not encoded the way the login page encodes it, so it is read unchanged and refused with a message.
    return fragment;
  }
}
