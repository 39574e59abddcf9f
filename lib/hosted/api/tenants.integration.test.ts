import { beforeAll, describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { type Customer, newCustomer } from "#e2e/support/customer.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";
import { OPERATIONS } from "../contract/operations.ts";

let domain: { id: string; domain: string };
let session: string;
let event: string;
let strangers: { stranger: string; who: Customer }[];

beforeAll(async () => {
  const owner = await newCustomer(url, databaseUrl);
  domain = await owner.registerDomain(databaseUrl);
  const created = await owner.createSession(domain.domain);
  session = created.id;
  await new Client(url).post(`/webhook/sessions/${session}`, new TestWallet().response(created.challenge));
  const rows = await query<{ id: string }>("SELECT id FROM webhook_event WHERE sid = $1", [session]);
  event = rows[0]?.id ?? "";
  const { tenantId } = owner;
  strangers = [
    { stranger: "another owner", who: await newCustomer(url, databaseUrl) },
    {
      stranger: "the owner itself, in the other mode",
      who: await newCustomer(url, databaseUrl, { mode: "live", tenantId }),
    },
  ];
});

/** What a tenant's own calls name, and what a stranger is told. */
const named = (noun: string) =>
  ({
    sessions: { id: session, code: "session_not_found" },
    domains: { id: domain.id, code: "domain_not_found" },
    deliveries: { id: event, code: "not_found" },
  })[noun] ?? { id: "", code: "" };

describe("one owner sees nothing of another's, nor of the other mode", () => {
  test("404, as if unknown, at every operation that names something", async () => {
    for (const { id: operation, method, path, example } of OPERATIONS) {
      if (!path.includes(":id")) continue;
      const { id, code } = named(path.split("/")[1] ?? "");
      for (const { stranger, who } of strangers) {
        const response = await who.call(method, path.replace(":id", id), example);
        expect(`${operation} by ${stranger}: ${response.status}`).toBe(`${operation} by ${stranger}: 404`);
        await expectApiError(response, 404, code);
      }
    }
  });

  test("and nothing was done: the event is as it was, and goes out to nobody", async () => {
    const row = () => query("SELECT * FROM webhook_event WHERE id = $1", [event]);
    // Done, so that whatever would send it again shows.
    await query(
      "UPDATE webhook_event SET status = 'failed', tries = 13, next_attempt_at = NULL WHERE id = $1",
      [event],
    );
    const before = await row();
    for (const { who } of strangers) {
      await expectApiError(await who.post(`/deliveries/${event}/resend`), 404, "not_found");
      expect(await row()).toEqual(before);
    }
  });

  test("lists are empty", async () => {
    for (const { who } of strangers) {
      for (const list of ["sessions", "domains", "deliveries"]) {
        expect(await (await who.get(`/${list}`)).json()).toEqual({ [list]: [], next_cursor: null });
      }
    }
  });

  test("another's domain is not registered for a session", async () => {
    for (const { who } of strangers) {
      const response = await who.post("/sessions", { domain: domain.domain });
      await expectApiError(response, 422, "domain_not_registered");
    }
  });
});
