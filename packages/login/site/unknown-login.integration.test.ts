import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createLogin, nextAuth, nextSite } from "../index.ts";
import type { MarkUndone } from "../server/undo-login.ts";
import { VirtualWallet } from "../testing/virtual-wallet.ts";
import {
  newClientHeaders,
  ORIGIN,
  SETTINGS,
  SiteBrowser,
  startSite,
  walletResponse,
} from "./tests/site.fixture.ts";

/** The answers of the endpoints for an unknown login. Each request is counted in the statement that answers it. */

const undoOther = vi.fn<MarkUndone>(async () => null);
const site = startSite((databaseUrl) =>
  createLogin({
    plugins: [nextSite(), nextAuth(), { name: "other", undo: undoOther }],
    setUp: async () => ({ ...SETTINGS, databaseUrl }),
  }),
);

const send = (method: "GET" | "POST", path: string) =>
  site().login.routes[method](new Request(ORIGIN + path, { method, headers: newClientHeaders() }));

/** A sid and a challenge in the site's own format, which the site does not know. */
async function unknown() {
  const browser = new SiteBrowser(site().login);
  const { sid, challenge } = await (await browser.send("GET", "/api/svc/qr?mode=register")).json();
  await site().client.query("DELETE FROM login_session WHERE sid = $1", [sid]);
  return { sid, challenge };
}

let knownLogin: { sid: string; challenge: string };
beforeEach(async () => {
  knownLogin = await unknown();
  await site().client.query("DELETE FROM login_event");
});

describe("a login that the site does not know", () => {
  test("returns 404 for its status", async () => {
    const answer = await send("GET", `/api/svc/check?sid=${knownLogin.sid}`);
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { error: { code: "session_not_found" } },
    ]);
  });

  test("returns 408 for an answer", async () => {
    const answer = await site().login.routes.POST(walletResponse(new VirtualWallet(), knownLogin.challenge));
    expect([answer.status, await answer.json()]).toMatchObject([
      408,
      { error: { code: "challenge_expired" } },
    ]);
    expect((await site().client.query("SELECT * FROM login_event")).rows).toEqual([]);
  });

  test("returns 404 for an undo", async () => {
    const answer = await send("POST", `/webhook/undo?s=${knownLogin.sid}&t=${randomUUID()}`);
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { error: { code: "session_not_found" } },
    ]);
  });

  test("can be undone by the plugin that it belongs to", async () => {
    const undone = { flow: "hosted", userId: null, isFirst: true, cancelsRecovery: false } as const;
    undoOther.mockResolvedValueOnce(undone);
    const answer = await send("POST", `/webhook/undo?s=${knownLogin.sid}&t=${randomUUID()}`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: "undone" }]);
  });
});
