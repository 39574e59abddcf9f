"use client";

import { askDomain } from "@svc/wallet/ask-domain";
import { secondsLeft } from "@svc/wallet/check-payload";
import type { Payload } from "@svc/wallet/read-payload";
import { useCallback, useEffect, useRef, useState } from "react";
import { type AnswerChoice, answerRequest, expectationFor } from "./answer-request.ts";
import { type Confirmation, lockProblem } from "./lock.ts";
import {
  askAbout,
  domainOf,
  readRequest,
  refuse,
  renewRequest,
  type TrustQuestion,
  type WalletRequest,
} from "./request.ts";
import { type Undoable, undoableOf } from "./undo-login.tsx";
import { useAskingBrowser } from "./use-asking-browser.ts";
import { nowSeconds, useCodeLife } from "./use-code-life.ts";
import { openWallet } from "./vault.ts";
import { keepDelegation, listSites, SILENT_SITES, trustHost } from "./wallet-storage.ts";

/** What the person decided with their approval. */
export type Approval = Confirmation & AnswerChoice;

/** The code that is being asked about, however it came, and what can be done with it. */
export function useRequest(onChanged: () => void) {
  const [request, setRequest] = useState<WalletRequest | null>(null);
  const cancelling = useRef<AbortController>(null);

  const lookFor = useCallback(async ({ payload }: Extract<WalletRequest, { phase: "elsewhere" }>) => {
    const looking: WalletRequest = { phase: "looking", payload };
    setRequest(looking);
    const kept = await askDomain(payload.challenge.domain);
    await keepDelegation(kept).catch(() => {});
    const expectation = { ...(await expectationFor(payload)), delegation: kept.delegation };
    // A newer code that came meanwhile keeps its place.
    setRequest((current) => (current === looking ? askAbout(payload, expectation) : current));
  }, []);
  const ask = useCallback(
    async (payload: Payload) => {
      const asked = askAbout(payload, await expectationFor(payload));
      setRequest(asked);
      // A site where this wallet has signed in before learns nothing new from being asked.
      if (asked.phase === "elsewhere" && (await hasBeenAt(domainOf(payload)))) await lookFor(asked);
    },
    [lookFor],
  );
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
    const expectation = await expectationFor(next);
    setRequest((current) => current && renewRequest(current, next, expectation));
  }, []);
  useCodeLife(request, setRequest, renew);
  const asking = useAskingBrowser(request, setRequest, SILENT_SITES);
  const { undoable, setUndoable, undone } = useUndoable();

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
        const { result, keyName } = await answerRequest(payload, wallet, approval, (retry) =>
          settle({ phase: "sending", payload, retry }),
        );
        if (result.ok) onChanged();
        const answered: WalletRequest = { phase: "answered", payload, result, keyName };
        const undoable = undoableOf(answered);
        if (undoable) setUndoable(undoable);
        settle(answered);
      } catch (error) {
        const problem = lockProblem(error);
        settle(problem === null ? refuse(payload, error) : { phase: "asking", payload, problem });
      }
    },
    [request, onChanged, setUndoable],
  );

  const look = useCallback(async () => {
    if (request?.phase === "elsewhere") await lookFor(request);
  }, [request, lookFor]);
  const cancel = useCallback(() => cancelling.current?.abort(), []);
  const decline = useCallback(() => setRequest({ phase: "declined" }), []);
  const close = useCallback(() => {
    setRequest(null);
    setUndoable((last) => (last?.undone ? null : last));
  }, [setUndoable]);
  return { request, asking, undoable, undone, open, approve, look, cancel, decline, close, trust };
}

/** The last answer that can be taken back, until its ten minutes are over. */
function useUndoable() {
  const [undoable, setUndoable] = useState<Undoable | null>(null);
  const until = undoable?.until;
  useEffect(() => {
    if (until === undefined) return;
    const timer = setTimeout(() => setUndoable(null), until - Date.now());
    return () => clearTimeout(timer);
  }, [until]);
  const undone = useCallback(() => setUndoable((last) => last && { ...last, undone: true }), []);
  return { undoable, setUndoable, undone };
}

async function hasBeenAt(domain: string): Promise<boolean> {
  const sites = await listSites().catch(() => []);
  return sites.some((site) => site.domain === domain);
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
