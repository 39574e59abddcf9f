import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, test } from "node:test";
import { VirtualWallet } from "@svc/login/testing";

/** Tests a complete login with a wallet that has a real key and posts to the real webhook. */

const PORT = "4320";
const ORIGIN = `http://localhost:${PORT}`;

const site = spawn(process.execPath, ["server.ts"], {
  cwd: import.meta.dirname,
  env: { ...process.env, PORT, APP_URL: ORIGIN },
  stdio: ["ignore", "pipe", "inherit"],
});
after(() => site.kill());
for (let output = ""; !output.includes("Ready"); ) output += (await once(site.stdout, "data"))[0];

/** Returns a browser that stores cookies. */
function browser() {
  const cookies = new Map<string, string>();
  return async (path: string, body?: object) => {
    const headers = {
      Cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
      "Content-Type": "application/json",
    };
    const answer = await fetch(ORIGIN + path, {
      ...{ headers, redirect: "manual" },
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
}

test("signs a wallet in, shows its user the dashboard, and signs out", async () => {
  const visit = browser();
  assert.equal((await visit("/dashboard")).status, 302);
  const { sid, qr } = await (await visit("/api/svc/qr?mode=register")).json();
  assert.equal(await new VirtualWallet().respond(qr), 200);
  assert.equal((await browser()("/api/svc/sign-in", { sid })).status, 401, "another browser is signed in");
  assert.equal((await visit("/api/svc/sign-in", { sid })).status, 200);
  assert.match(await (await visit("/dashboard")).text(), /You are user \d+/);
  await visit("/api/svc/sign-out", {});
  assert.equal((await visit("/dashboard")).status, 302);
});
