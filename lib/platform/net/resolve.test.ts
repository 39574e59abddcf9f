import { expect, onTestFinished, test } from "vitest";
import { startNameServer } from "#e2e/support/name-server.ts";
import { resolveAddresses } from "./resolve.ts";

test("localhost and names below it are this machine without asking; a name that only ends alike is asked for", async () => {
  const dns = await startNameServer();
  onTestFinished(() => dns.close());
  const elsewhere = ["evillocalhost", "evil-localhost", "localhost.example.com"];
  for (const name of elsewhere) dns.names.set(name, { A: ["192.0.2.7"] });
  for (const name of ["localhost", "localhost.", "shop.localhost", "a.b.localhost."]) {
    expect(await resolveAddresses(name, [dns.address])).toEqual(["127.0.0.1", "::1"]);
  }
  expect(dns.questions).toEqual([]);
  for (const name of elsewhere) expect(await resolveAddresses(name, [dns.address])).toEqual(["192.0.2.7"]);
});
