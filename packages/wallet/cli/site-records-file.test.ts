import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readPayload } from "../read-payload.ts";
import { openSiteRecordsFile } from "./site-records-file.ts";

/** Returns a code of a shop whose answers go to an API, and the key that answered the code. */
function accepted(domain: string) {
  const challenge = `svc:login:${domain}:1767225600:${"a".repeat(32)}`;
  const query = new URLSearchParams({ webhook: "https://api.example/x", session: "s", challenge });
  return [readPayload(`svc://auth?${query}`), { account: 0, path: "m", publicKey: "04" }] as const;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "places "));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("saves every entry if many wallets write simultaneously", async () => {
  const folder = await temporaryFolder();
  const open = () => openSiteRecordsFile(join(folder, "seed.json"), []);
  const domains = Array.from({ length: 20 }, (_, index) => `shop-${index}.example`);
  await Promise.all(domains.map((domain) => open().rememberSite(...accepted(domain))));
  const receivers = await Promise.all(domains.map((domain) => open().findReceiver(domain)));
  expect(receivers).toEqual(domains.map(() => "api.example"));
  expect(await readdir(folder)).toEqual(["seed.places.json"]);
});

test("is not blocked permanently by a lock that a killed wallet left behind", async () => {
  const folder = await temporaryFolder();
  const lock = join(folder, "seed.places.json.lock");
  await writeFile(lock, "");
  const long = new Date(Date.now() - 60_000);
  await utimes(lock, long, long);
  const siteRecords = openSiteRecordsFile(join(folder, "seed.json"), []);
  await siteRecords.rememberSite(...accepted("shop.example"));
  expect(await siteRecords.findReceiver("shop.example")).toBe("api.example");
  expect(await readdir(folder)).toEqual(["seed.places.json"]);
});
