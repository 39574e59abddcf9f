import { describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { signInBrowser } from "#tools/kit/login.ts";

const PICTURE =
  "/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xAAbEAEAAAcAAAAAAAAAAAAAAAAAFSQxUmSCkf/EABUBAQEAAAAAAAAAAAAAAAAAAAQF/8QAFhEBAQEAAAAAAAAAAAAAAAAAAQAR/9oADAMBAAIRAxEAPwCSMMy9ruUAUgyMt//Z";

const change = (browser: Client, body: unknown) => browser.patch("/api/account/profile", body);
const page = async (browser: Client, path: string) => (await browser.fetch(path)).text();
const pictureIn = (html: string) => /src="(\/api\/account\/picture\?v=\d+)"/.exec(html)?.[1];

describe("a user's name and picture", () => {
  test("appear on every page, but only to that user", async () => {
    const [{ browser, userId }, other] = [await signInBrowser(url), await signInBrowser(url)];
    expect(await page(browser, "/docs")).toContain(`User ${userId}`);
    expect((await change(browser, { name: "  Ada Lovelace " })).status).toBe(204);
    for (const path of ["/", "/docs", "/dashboard", "/nothing-here"]) {
      expect(await page(browser, path), path).toContain("Ada Lovelace");
    }
    expect(await page(other.browser, "/docs")).not.toContain("Ada Lovelace");
    expect((await change(browser, { name: "" })).status).toBe(204);
    expect(await page(browser, "/docs")).toContain(`User ${userId}`);
  });

  test("can include a JPEG picture, which only the user can fetch", async () => {
    const { browser } = await signInBrowser(url);
    expect((await browser.fetch("/api/account/picture")).status).toBe(404);
    expect((await change(browser, { picture: PICTURE })).status).toBe(204);
    const path = pictureIn(await page(browser, "/dashboard"));
    const answer = await browser.fetch(path ?? "");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("image/jpeg");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(answer.headers.get("cache-control")).toContain("private");
    expect(Buffer.from(await answer.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    await expectApiError(await new Client(url).fetch(path ?? ""), 401, "not_signed_in");
    expect((await (await signInBrowser(url)).browser.fetch(path ?? "")).status).toBe(404);
    expect((await change(browser, { name: "Keeps the picture" })).status).toBe(204);
    expect(pictureIn(await page(browser, "/docs"))).toBe(path);
    expect((await change(browser, { picture: null })).status).toBe(204);
    expect(pictureIn(await page(browser, "/docs"))).toBeUndefined();
  });

  test.each([
    ["markup as a picture", { picture: Buffer.from("<svg onload=alert(1)>").toString("base64") }],
    ["malformed base64", { picture: "%%%" }],
    ["more than 32 KB", { picture: "A".repeat(44_000) }],
    ["a number", { picture: 1 }],
    ["a name of 61 characters", { name: "x".repeat(61) }],
    ["a name with a right-to-left override", { name: "Ada\u202e" }],
  ])("do not change if the new value is refused: %s", async (_what, body) => {
    const { browser, userId } = await signInBrowser(url);
    await change(browser, { name: "Ada", picture: PICTURE });
    await expectApiError(await change(browser, body), 400, "invalid_request");
    const profile = "SELECT name, picture IS NOT NULL AS picture FROM profile WHERE user_id = $1";
    expect(await query(profile, [userId])).toEqual([{ name: "Ada", picture: true }]);
  });

  test("are in the export, and are deleted with the account", async () => {
    const { browser, userId } = await signInBrowser(url);
    await change(browser, { name: "Ada", picture: PICTURE });
    const { user } = await (await browser.fetch("/api/account/export")).json();
    expect(user.profile).toMatchObject({ name: "Ada", picture: expect.stringMatching(/^\/9j/) });
    expect((await browser.delete("/api/account")).status).toBe(204);
    expect(await query("SELECT 1 FROM profile WHERE user_id = $1", [userId])).toEqual([]);
  });
});
