import { afterEach, describe, expect, test, vi } from "vitest";
import { followLogin, offerCode, onCodeRequest } from "./code-handover.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const stop of open.splice(0)) stop();
});

const FORMS: Record<string, (session: string, challenge: string) => string> = {
  svc: (session, challenge) => `svc://auth?${new URLSearchParams({ session, challenge })}`,
  https: (s, c) => `https://example.com/webhook/login?${new URLSearchParams({ s, c })}`,
  fast: (sid, c) => `https://example.com/api/fastauth?${new URLSearchParams({ sid, c, t: "1" })}`,
};

function page(qr: string) {
  const renew = vi.fn();
  open.push(offerCode(qr, renew));
  return renew;
}

function wallet(session: string, heldChallenge: string) {
  const onCode = vi.fn();
  const { ask, stop } = followLogin({ session, heldChallenge }, onCode);
  open.push(stop);
  return { ask, onCode };
}

describe.each(Object.entries(FORMS))("a %s code", (_, form) => {
  test("reaches a wallet as soon as it is shown", async () => {
    const { onCode } = wallet("one", "first");
    page(form("one", "second"));
    await vi.waitFor(() => expect(onCode).toHaveBeenCalledWith(form("one", "second")));
  });

  test("is sent to a wallet that asks for it, or renewed if the wallet already has it", async () => {
    const renew = page(form("one", "second"));
    const late = wallet("one", "first");
    late.ask();
    await vi.waitFor(() => expect(late.onCode).toHaveBeenCalledWith(form("one", "second")));
    expect(renew).not.toHaveBeenCalled();
    wallet("one", "second").ask();
    await vi.waitFor(() => expect(renew).toHaveBeenCalledOnce());
  });
});

test("sends a code only to wallets and pages for the same login", async () => {
  const renew = page(FORMS.svc?.("one", "c") ?? "");
  const other = wallet("two", "c");
  other.ask();
  const ownWallet = wallet("one", "c");
  ownWallet.ask();
  await vi.waitFor(() => expect(renew).toHaveBeenCalledOnce());
  page(FORMS.svc?.("two", "d") ?? "");
  await vi.waitFor(() => expect(other.onCode).toHaveBeenCalledOnce());
  expect(ownWallet.onCode).not.toHaveBeenCalled();
});

test("renews the code on a paused page once a wallet asks for it", async () => {
  const resume = vi.fn();
  open.push(onCodeRequest("one", resume));
  wallet("two", "c").ask();
  wallet("one", "c").ask();
  await vi.waitFor(() => expect(resume).toHaveBeenCalledOnce());
});

test("ignores messages in an unknown format", async () => {
  const renew = page(FORMS.svc?.("one", "c") ?? "");
  const { onCode, ask } = wallet("one", "c");
  const channel = new BroadcastChannel("svc-code-handover");
  open.push(() => channel.close());
  const shapes = [
    null,
    "code",
    7,
    [],
    { kind: "code", session: "one" },
    { kind: "wanted", session: ["one"] },
  ];
  for (const shape of [...shapes, { kind: "wanted" }, { kind: "code", session: "one", qr: 7 }])
    channel.postMessage(shape);
  ask();
  await vi.waitFor(() => expect(renew).toHaveBeenCalledOnce());
  expect(onCode).not.toHaveBeenCalled();
});
