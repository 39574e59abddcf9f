import { describe, expect, onTestFinished, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { EventStream } from "#e2e/support/event-stream.ts";
import { Client } from "#tools/kit/client.ts";
import { createTestDatabase, execute } from "#tools/kit/database.ts";
import { readUserId, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

/** No statement of the application may depend on these settings of a server, database or role. */
const OTHERS = {
  DateStyle: "German",
  IntervalStyle: "sql_standard",
  extra_float_digits: "-15",
  bytea_output: "escape",
  standard_conforming_strings: "off",
  default_transaction_isolation: "serializable",
  lock_timeout: "1ms",
  search_path: "nowhere",
};

/** The application can change these through a pooler. */
const { DateStyle, standard_conforming_strings } = OTHERS;

describe.each([
  ["America/St_Johns", "at one address", OTHERS],
  ["Europe/Berlin", "as if through a pooler", { DateStyle, standard_conforming_strings }],
])(
  "on a database with the time zone %s, %s, and the settings %j, the application",
  (TimeZone, how, others) => {
    test("handles limits and timestamps as it does with the default settings", async () => {
      const database = await createTestDatabase();
      onTestFinished(() => database.close());
      for (const [name, value] of Object.entries({ TimeZone, ...others })) {
        await execute(database.url, `ALTER DATABASE ${database.name} SET ${name} = '${value}'`);
      }
      const app = await startApp({
        DATABASE_URL: how === "at one address" ? database.url : `${database.url}?application_name=pooled`,
        DATABASE_DIRECT_URL: database.url,
        TRUSTED_PROXIES: "1",
        LOG_LEVEL: "warn",
      });
      onTestFinished(() => app.stop());
      const asOperator = `${database.url}?options=-c%20search_path%3Dpublic`;

      const { browser, wallet, userId } = await signInBrowser(app.url);
      expect(await readUserId(browser)).toBe(userId);
      const code = await requestQr(new Client(app.url));
      const secondClient = new Client(app.url);
      const streamedCode = await requestQr(secondClient);
      const stream = new EventStream(await secondClient.fetch(`/api/svc/events?sid=${streamedCode.sid}`));
      expect(await stream.next()).toMatchObject({ data: { status: "pending" } });
      const answer = (challenge: string) =>
        new Client(app.url).post("/webhook/login", wallet.response(challenge)).then(({ status }) => status);
      expect(await Promise.all([answer(code.challenge), answer(code.challenge)])).toEqual(
        expect.arrayContaining([200, 408]),
      );
      expect(await answer(streamedCode.challenge)).toBe(200);
      expect(await stream.next()).toMatchObject({ data: { status: "authenticated" } });

      const customer = await newCustomer(app.url, asOperator);
      const { id: domainId, domain } = await customer.registerDomain(asOperator);
      expect((await customer.call("POST", `/domains/${domainId}/rotate-secret`)).status).toBe(200);
      const created = await customer.createSession(domain);
      expect(Math.abs(Date.parse(created.created_at) - Date.now())).toBeLessThan(60_000);
      const session = await customer.get(`/sessions/${created.id}`);
      expect([session.status, await session.json()]).toMatchObject([200, { status: "pending" }]);
      const response = new TestWallet().response(created.challenge);
      expect((await new Client(app.url).post(`/webhook/sessions/${created.id}`, response)).status).toBe(200);
      const { deliveries } = await (await customer.get("/deliveries")).json();
      expect(Math.abs(Date.parse(deliveries[0].created_at) - Date.now())).toBeLessThan(60_000);
    });
  },
);
