import { expectAccessibleInAllViews } from "./support/accessible.ts";
import { expect, test } from "./support/fixtures.ts";
import { watchShifts } from "./support/page.ts";

test("lets a visitor attack a real login in three ways and shows why each attack fails", async ({ page }) => {
  const shifts = await watchShifts(page);
  await page.goto("/cheat");
  const attack = async (name: string) => {
    const card = page.getByRole("region", { name });
    await card.getByRole("button", { name: "Try it" }).click();
    await expect(card.getByRole("button", { name: "Try again" })).toBeEnabled();
    return card.getByRole("listitem");
  };

  const stolen = await attack("1. Show this code to someone else");
  await expect(stolen).toContainText([/svc:register:/, "pending", "accepted", "Refused by the site"]);
  await expect(stolen.last()).toContainText("This browser has no answered login with that sid.");
  await expect(page.getByRole("img", { name: "QR code for this attack" })).toBeVisible();

  const renamed = await attack("2. Change the domain");
  await expect(renamed).toContainText([
    /svc:register:/,
    "svc:register:bank.example:",
    "Refused by the wallet",
    "Refused by the site",
  ]);
  await expect(renamed.nth(2)).toContainText("This code is for bank.example, but the answer would go to");
  await expect(renamed.last()).toContainText("(408)");

  const replayed = await attack("3. Replay the answer");
  await expect(replayed).toContainText([
    /svc:register:/,
    "accepted",
    "Refused by the site",
    "Refused by the site",
  ]);
  await expect(replayed.nth(2)).toContainText("(408)");
  await expect(replayed.last()).toContainText("(406)");

  expect(await shifts()).toBeLessThan(0.1);
  await expectAccessibleInAllViews(page);
  expect(await (await page.request.get("/api/auth/session")).json()).toEqual({});
});
