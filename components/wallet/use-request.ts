"use client";

import { answerCode } from "@svc/wallet/answer-code";
import type { AddressType } from "@svc/wallet/bitcoin-address";
import { type Payload, secondsLeft } from "@svc/wallet/read-payload";
import {
  expectationFor,
  fetchExpectation,
  readRequest,
  type TrustQuestion,
  toWalletRequest,
  type WalletRequest,
} from "@svc/wallet/request";
import type { SiteClock } from "@svc/wallet/site-clock";
import { WALLET_VERSION } from "@svc/wallet/wallet-response";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { browserName } from "#packages/login/protocol/browser-name.ts";
import { type Confirmation, lockProblem } from "./lock.ts";
import { useQuestion } from "./use-question.ts";
import { openWallet } from "./vault.ts";
import { listSites, rememberSite, SAVED_PLACES, trustHost } from "./wallet-storage.ts";

/** The person's decision with their approval. */
type Approval = Confirmation & {
  /** 0 for the first account on the domain. */
  account: number;
  /** The type of the address that answers fast login's code. */
  addressType: AddressType;
};

const expect = (payload: Payload, siteClock: SiteClock) => expectationFor(payload, SAVED_PLACES, siteClock);

/** The code that is being asked about, however it came, and what can be done with it. */
export function useRequest(onChanged: () => void) {
  const question = useQuestion(expect, SAVED_PLACES);
  const { request, setRequest, siteClock, setUndoable } = question;
  const cancelling = useRef<AbortController>(null);
  const cancel = () => cancelling.current?.abort();

  const lookFor = async (payload: Payload) => {
    const looking: WalletRequest = { phase: "looking", payload };
    setRequest(looking);
    const expectation = await fetchExpectation(payload, SAVED_PLACES, siteClock);
    // A newer code that came in the meantime keeps its place.
    setRequest((current) => (current === looking ? toWalletRequest(payload, expectation) : current));
  };
  const ask = async (payload: Payload) => {
    const shown = toWalletRequest(payload, await expect(payload, siteClock));
    setRequest(shown);
    // Asking a site where this wallet has signed in before does not reveal anything new to it.
    if (shown.phase === "elsewhere" && (await hasBeenAt(payload.domain))) await lookFor(payload);
  };
  const [isFromPage, setFromPage] = useState(false);
  const open = async (text: string, fromPage = false) => {
    setFromPage(fromPage);
    cancel();
    const read = readRequest(text);
    if ("phase" in read) setRequest(read);
    else await ask(read);
  };
  // A page that shows a code opens this one in a new tab.
  useLinks((text) => open(text, window.history.length === 1));

  const trust = async (pair: TrustQuestion) => {
    if (request?.phase !== "refused" || !request.payload) return;
    await trustHost(pair);
    await ask(request.payload);
    onChanged();
  };
  const approve = async ({ passphrase, account, addressType }: Approval) => {
    if (request?.phase !== "asking") return;
    const { payload } = request;
    const prompt = new AbortController();
    cancelling.current = prompt;
    const now = () => siteClock.now(payload);
    // The device's prompt ends with the challenge.
    const timer = setTimeout(() => prompt.abort(), secondsLeft(payload, now()) * 1000);
    const result = await question.answer(
      payload,
      async (show, onRetry) => {
        show("confirming");
        // Awaited before the wallet is opened: nothing may delay the wiping of its seed.
        const expected = await expect(payload, siteClock);
        const wallet = await openWallet({ passphrase, signal: prompt.signal });
        if (!wallet) return null;
        show("sending");
        const { seed, installation } = wallet;
        const platform = `web: ${browserName(navigator.userAgent)}`;
        const device = { platform, version: WALLET_VERSION, installation };
        // An address is the same at every site, so the wallet uses one of each type.
        const used = payload.kind === "fast" ? 0 : account;
        const answerer = { seed, account: used, addressType, device };
        const answer = await answerCode(payload, answerer, expected, { now, onRetry });
        // The site has accepted, whether or not this browser can note it.
        if (answer.ok) await rememberSite(payload, answer.key).catch(() => {});
        return answer;
      },
      lockProblem,
    );
    clearTimeout(timer);
    // If there is no wallet, another tab has wiped it: the page has to notice.
    if (result === null || result?.ok) onChanged();
  };
  const look = async () => {
    if (request?.phase === "elsewhere") await lookFor(request.payload);
  };
  const decline = () => setRequest({ phase: "declined" });
  const close = () => {
    setRequest(null);
    setUndoable((last) => (last?.undone ? null : last));
  };
  return { ...question, isFromPage, open, approve, look, cancel, decline, close, trust };
}

async function hasBeenAt(domain: string): Promise<boolean> {
  const sites = await listSites().catch(() => []);
  return sites.some((site) => site.domain === domain);
}

/** Opens the payload of a link to this page, now and whenever another one comes. */
function useLinks(open: (text: string) => void): void {
  const openLink = useEffectEvent(() => {
    const text = takeFragment();
    if (text !== null) open(text);
  });
  useEffect(() => {
    const onHash = () => openLink();
    onHash();
    window.addEventListener("hashchange", onHash);
    return () => window.removeEventListener("hashchange", onHash);
  }, []);
}

/** The payload of a link, `/wallet#<encodeURIComponent(payload)>`, taken out of the address bar and history. */
function takeFragment(): string | null {
  const fragment = window.location.hash.slice(1);
  if (fragment === "") return null;
  window.history.replaceState(null, "", window.location.pathname + window.location.search);
  try {
    return decodeURIComponent(fragment);
  } catch {
    // The payload is not encoded as the login page encodes it, so it is read unchanged, and refused with a message.
    return fragment;
  }
}
