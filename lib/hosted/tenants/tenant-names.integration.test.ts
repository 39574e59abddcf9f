import { expect, test } from "vitest";
import { query, url } from "#e2e/support/test-apps.ts";
import { signedIn } from "#scripts/kit/login.ts";

/** The names of tenants: those of the console's users are theirs alone. */

const insertTenant = (name: string) =>
  query("INSERT INTO owner (id, name, created_at) VALUES (gen_random_uuid(), $1, now())", [name]);

test("nobody else gets a name that a console's user has, or will have", async () => {
  for (const name of ["user:2000000000", "USER:7", "user:", "user:x"]) {
    await expect(insertTenant(name)).rejects.toThrow("owner_user_name_check");
  }
});

test("a console's user is an owner by that user's id, whatever names there are", async () => {
  const { browser, userId } = await signedIn(url);
  const created = await browser.post("/api/console/test/keys", { name: "mine" }, { Origin: url });
  expect(created.status).toBe(201);
  const rows = await query(
    "SELECT owner.name FROM owner JOIN api_key ON owner_id = owner.id WHERE user_id = $1",
    [userId],
  );
  expect(rows).toEqual([{ name: `user:${userId}` }]);
});
