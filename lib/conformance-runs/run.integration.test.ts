import { expect, test } from "vitest";
import { otherUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { checkLogin, requestQr } from "#tools/kit/login.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

type View = { reached: boolean; cases: { id: string; state: string; message: string }[] };

/** Its requests use both processes in turn. */
async function newRun() {
  const page = new Client(url);
  const { secret } = await (await page.post("/api/conformance/runs", {})).json();
  const headers = { Authorization: `Bearer ${secret}` };
  const other = new Client(otherUrl, page.address);
  const view = async (): Promise<View> => (await other.fetch("/api/conformance/run", { headers })).json();
  async function show(id: string) {
    const answer = await page.post("/api/conformance/run/codes", { case: id }, headers);
    expect(answer.status).toBe(201);
    const { searchParams } = new URL((await answer.json()).payload);
    const challenge = searchParams.get("challenge") ?? "";
    return { path: new URL(searchParams.get("webhook") ?? "").pathname, challenge };
  }
  return {
    secret: String(secret),
    show,
    /** @param changes replace fields of the wallet's response */
    async answer(id: string, changes: Record<string, unknown> = {}) {
      const { path, challenge } = await show(id);
      const body = new TestWallet().response(challenge, { device_info: undefined, ...changes });
      return { path, challenge, body, response: await wallet().post(path, body) };
    },
    say: (id: string, word: string) => other.post("/api/conformance/run/words", { case: id, word }, headers),
    isReached: async () => (await view()).reached,
    stateOf: async (id: string) => (await view()).cases.find((one) => one.id === id),
  };
}

const wallet = () => new Client(otherUrl);

test("does not sign anyone in after a response to a conformance run", async () => {
  const run = await newRun();
  for (const id of ["7-answers/login", "7-answers/register"]) {
    const { path, challenge } = await run.show(id);
    const holder = new TestWallet();
    const delivery = holder.response(challenge);
    expect((await wallet().post(path, delivery)).status).toBe(200);
    for (const webhook of [
      "/webhook/login",
      "/webhook/register",
      `/webhook/sessions/${path.split("/")[3]}`,
    ]) {
      expect([404, 408]).toContain((await wallet().post(webhook, delivery)).status);
    }
    const rows = await query("SELECT 1 FROM credential WHERE value = $1", [holder.publicKey]);
    expect(rows).toEqual([]);
    expect(await query("SELECT 1 FROM challenge WHERE text = $1", [challenge])).toEqual([]);
  }
});

test("refuses a real login's challenge in a conformance run without affecting the login", async () => {
  const run = await newRun();
  const { path } = await run.show("7-answers/login");
  const { sid, challenge } = await requestQr(new Client(url), "register");
  const delivery = new TestWallet().response(challenge);
  expect((await wallet().post(path, delivery)).status).toBe(400);
  expect(await checkLogin(new Client(url), sid)).toEqual({ status: "pending" });
  expect((await run.stateOf("7-answers/login"))?.state).toBe("failed");
  // The run must not store anything with which its browser could sign in.
  const [row] = await query("SELECT * FROM conformance_run WHERE id = $1", [path.split("/")[3]]);
  expect(JSON.stringify(row)).not.toContain(delivery.signature);
});

test.each(["public_key", "signature", "timestamp", "device_info"])(
  "refuses and records an answer with an invalid field: %s",
  async (field) => {
    const run = await newRun();
    const { path, challenge } = await run.show("7-answers/login");
    for (const value of [{ toString: 1, valueOf: 1 }, [[["x"]]], 1.5]) {
      const body = { ...new TestWallet().response(challenge), [field]: value };
      expect((await wallet().post(path, body)).status).toBe(400);
    }
    expect((await run.stateOf("7-answers/login"))?.state).toBe("failed");
  },
);

test("checks the intent that the wallet reports only in cases that require one", async () => {
  const run = await newRun();
  const answer = async (id: string, changes = {}) => {
    expect((await run.answer(id, changes)).response.status).toBe(200);
    return (await run.stateOf(id))?.state;
  };
  // The first case, which unlocks the others, is waiting for the user's report.
  expect(await answer("7-answers/login", {})).toBe("asked");
  expect(await answer("1.2-unknown-parameter/colour", {})).toBe("passed");
  expect(await answer("3.6-shown-none/login", { intent: null })).toBe("passed");
  expect(await answer("3.6-shown-none/login", {})).toBe("failed");
  expect(await answer("3.6-shown/add", { intent: "add" })).toBe("passed");
  expect(await answer("3.6-shown/add", { intent: null })).toBe("failed");
});

test("counts silence as a pass only after the wallet has answered a valid code correctly", async () => {
  const run = await newRun();
  expect((await run.answer("7-answers/login")).response.status).toBe(200);
  await run.say("7-answers/login", "good");
  expect((await run.stateOf("7-answers/login"))?.state).toBe("passed");

  await run.show("7-expired/old");
  await run.say("7-expired/old", "good");
  expect((await run.stateOf("7-expired/old"))?.state).toBe("passed");
  const hostile = await run.show("7-webhook-host/another");
  expect(hostile.challenge).toContain(":shop.example:");
  await run.say("7-webhook-host/another", "good");
  await wallet().post(hostile.path, new TestWallet().response(hostile.challenge));
  expect(await run.stateOf("7-webhook-host/another")).toMatchObject({ state: "failed" });
});

test("does not unlock the other cases after answers that anyone could have posted", async () => {
  const run = await newRun();
  const { path, challenge } = await run.show("7-answers/login");
  const foreignResponse = { ...new TestWallet().response(challenge), public_key: new TestWallet().publicKey };
  for (const [to, body] of [
    [path, {}],
    [`${path}?detour=1`, {}],
    [path, foreignResponse],
  ] as const)
    await wallet().post(to, body);
  expect(await run.isReached()).toBe(false);
  await wallet().post(path, new TestWallet().response(challenge));
  expect(await run.isReached()).toBe(true);
});

test("responds with a redirect, silence or a refusal, depending on the case", async () => {
  const run = await newRun();
  await run.answer("7-answers/login");

  const redirected = await run.answer("7-redirect/307");
  expect(redirected.response.status).toBe(307);
  const { headers } = redirected.response;
  expect((await wallet().post(headers.get("location") ?? "", redirected.body)).status).toBe(200);
  expect(await run.stateOf("7-redirect/307")).toMatchObject({ state: "failed" });

  const away = await run.answer("7-tries-again/once");
  expect(away.response.status).toBe(503);
  expect((await wallet().post(away.path, away.body)).status).toBe(200);
  expect(await run.stateOf("7-tries-again/once")).toMatchObject({ state: "passed" });

  expect((await run.answer("7-final/404")).response.status).toBe(404);
});

test("lets only the browser that has a run's secret read the run", async () => {
  const run = await newRun();
  const { path } = await run.show("7-answers/login");
  const stranger = new Client(url);
  for (const secret of [path.split("/")[3], `${run.secret.slice(1)}A`, ""]) {
    const headers = { Authorization: `Bearer ${secret}` };
    expect((await stranger.fetch("/api/conformance/run", { headers })).status).toBe(404);
    expect(
      (await stranger.post("/api/conformance/run/codes", { case: "7-answers/login" }, headers)).status,
    ).toBe(404);
  }
  expect((await stranger.post("/api/conformance/runs", {}, { Origin: "https://evil.example" })).status).toBe(
    403,
  );
  const id = path.split("/")[3] ?? "";
  expect((await stranger.post(`/conformance/answers/${id}/1`, {})).status).toBe(404);
  await query(
    `UPDATE conformance_run SET arrivals = (SELECT jsonb_agg('{"code":0}'::jsonb) FROM generate_series(1, 200))
     WHERE id = $1`,
    [id],
  );
  expect((await stranger.post(path, { a: "x".repeat(60_000) })).status).toBe(404);
  const [{ length } = { length: 0 }] = await query<{ length: number }>(
    "SELECT jsonb_array_length(arrivals) AS length FROM conformance_run WHERE id = $1",
    [id],
  );
  expect(length).toBe(200);
});

test("ends a conformance run after an hour", async () => {
  const run = await newRun();
  const { path, challenge } = await run.show("7-answers/login");
  await query("UPDATE conformance_run SET expires_at = now() - interval '1 min' WHERE id = $1", [
    path.split("/")[3],
  ]);
  const headers = { Authorization: `Bearer ${run.secret}` };
  expect((await new Client(url).fetch("/api/conformance/run", { headers })).status).toBe(404);
  expect((await wallet().post(path, new TestWallet().response(challenge))).status).toBe(404);
});
