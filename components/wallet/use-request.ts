"use client";

import type { AddressType } from "@svc/wallet/bitcoin-address";
import { countSecondsLeft } from "@svc/wallet/read-payload";
import type { TrustQuestion } from "@svc/wallet/request";
import { RequestFlow } from "@svc/wallet/request-flow";
import { WALLET_VERSION } from "@svc/wallet/wallet-response";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { browserName } from "#packages/login/protocol/browser-name.ts";
import { type Confirmation, explainLockError } from "./lock.ts";
import { useFlow } from "./use-flow.ts";
import { openWallet } from "./vault.ts";
import { listSites, SAVED_SITE_RECORDS, trustHost } from "./wallet-storage.ts";

type Approval = Confirmation & {
  /** An index on the domain. */
  account: number;
  /** Only for a fast login. */
  addressType: AddressType;
};

export function useRequest(onChanged: () => void) {
  const [flow] = useState(() => new RequestFlow({ siteRecords: SAVED_SITE_RECORDS }));
  const flowState = useFlow(flow);
  const { request, setUndoable } = flowState;
  const cancelling = useRef<AbortController>(null);
  const cancel = () => cancelling.current?.abort();

  const checkIfUsedBefore = async () => {
    const { request } = flow.state();
    // The site already knows this wallet, so a request to the site reveals nothing new.
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
  // A page that shows a QR code opens the wallet in a new tab.
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
    const remainingSeconds = countSecondsLeft(payload, flow.siteClock.now(payload));
    const timer = setTimeout(() => prompt.abort(), remainingSeconds * 1000);
    const unlock = async () => {
      const wallet = await openWallet({ passphrase, signal: prompt.signal });
      if (!wallet) return null;
      const { seed, installation } = wallet;
      const platform = `web: ${browserName(navigator.userAgent)}`;
      const device = { platform, version: WALLET_VERSION, installation };
      // A Bitcoin address is the same at every site, so the wallet uses only one address of each type.
      return { seed, account: payload.kind === "fast" ? 0 : account, addressType, device };
    };
    const result = await flow.approve(unlock, {}, explainLockError);
    clearTimeout(timer);
    // Null means that another tab has wiped the wallet, so the page must be updated.
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

/** Covers the link that opened this page, and every link that is opened in it later. */
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

/** The link is `/wallet#<encodeURIComponent(payload)>`. Also removes the payload from the history. */
function readAndClearFragment(): string | null {
  const fragment = window.location.hash.slice(1);
  if (fragment === "") return null;
  window.history.replaceState(null, "", window.location.pathname + window.location.search);
  try {
    return decodeURIComponent(fragment);
  } catch {
    // The payload's encoding is invalid. Returns it unchanged, so that the wallet refuses it with a message.
    return fragment;
  }
}
