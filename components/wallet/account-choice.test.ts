import { expect, test } from "vitest";
import { lastAccount, offeredAccounts } from "./account-choice.tsx";

const site = (domain: string, account: number, lastUsedAt: number) => ({ domain, account, lastUsedAt });

test("offers the account that was used last on this domain first", () => {
  const sites = [site("b.test", 4, 9), site("a.test", 2, 5), site("a.test", 0, 1)];
  expect(lastAccount(sites, "a.test")).toBe(2);
  expect(lastAccount(sites, "c.test")).toBe(0);
});

test("offers the used accounts, the first account and a new one", () => {
  expect(offeredAccounts([])).toEqual([0, 1]);
  expect(offeredAccounts([0, 1])).toEqual([0, 1, 2]);
  expect(offeredAccounts([0, 7])).toEqual([0, 1, 7]);
});
