import { describe, expect, inject, onTestFinished, test } from "vitest";
import { startApp } from "#scripts/kit/start-app.ts";

const DATABASE_URL = inject("databaseUrl");

describe("HOST", () => {
  test("is the only address that answers; plain http is served where the operator allows it", async () => {
    const app = await startApp({
      DATABASE_URL,
      HOST: "127.0.0.1",
      APP_URL: "http://login.example.com",
      ALLOW_INSECURE_HTTP: "true",
      LOG_LEVEL: "warn",
    });
    onTestFinished(() => app.stop());
    expect(app.output()).toContain("Ready on http://login.example.com");
    const port = new URL(app.url).port;
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await expect(fetch(`http://[::1]:${port}/healthz`)).rejects.toThrow("fetch failed");
  });

  test("that is no address of this machine keeps the application from starting", async () => {
    const start = startApp({ DATABASE_URL, HOST: "198.51.100.231", LOG_LEVEL: "warn" });
    await expect(start).rejects.toThrow(
      "Not started: HOST: 198.51.100.231 is no address of this machine; expected",
    );
  });
});

describe("what cannot work keeps the application from starting, by name and with what is expected:", () => {
  const refused = (variables: Record<string, string>) =>
    startApp({ DATABASE_URL, LOG_LEVEL: "warn", ...variables }).then(
      () => "started",
      (error) => String(error),
    );

  test("every variable with a bad value, in one start", async () => {
    const bad = [
      ["RATE_LIMIT_SCALE", "1000000000", "a limit does not fit its counter"],
      ["NEXTAUTH_SECRET", "a".repeat(40), "10 of them different"],
      ["NEXTAUTH_SECRET_PREVIOUS", "0123456789".repeat(3), "32 characters or more"],
      ["METRICS_TOKEN", "z".repeat(64), "10 of them different"],
      ["HOST", "login.example.com", "expected an IP address of this machine"],
    ] as const;
    const said = await refused(Object.fromEntries(bad.map(([name, value]) => [name, value])));
    expect(said).toContain("Not started:\n");
    for (const [name, , expected] of bad) expect(said).toMatch(new RegExp(`^${name}: .*${expected}`, "m"));
  });

  test("a database that is gone with its folder, where others reach it", async () => {
    const unset = { DATABASE_URL: "", NEXTAUTH_SECRET: "" };
    const said = await refused({ ...unset, APP_URL: "https://login.example.com" });
    expect(said).toMatch(
      /exit code 1:\nNot started:\nDATABASE_URL: required .*\nNEXTAUTH_SECRET: required .*\n$/,
    );
  });
});
