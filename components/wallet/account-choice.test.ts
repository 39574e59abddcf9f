import { expect, test } from "vitest";
import { findLastAccount, listOfferedAccounts } from "./account-choice.tsx";

const site = (domain: string, account: number, lastUsedAt: number) => ({ domain, account, lastUsedAt });

test("offers the account that was last used on the domain first", () => {
  const sites = [site("b.test", 4, 9), site("a.test", 2, 5), site("a.test", 0, 1)];
  expect(findLastAccount(sites, "a.test")).toBe(2);
  expect(findLastAccount(sites, "c.test")).toBe(0);
});

test("offers the accounts used before, the first account and a new one", () => {
  expect(listOfferedAccounts([])).toEqual([0, 1]);
  expect(listOfferedAccounts([0, 1])).toEqual([0, 1, 2]);
  expect(listOfferedAccounts([0, 7])).toEqual([0, 1, 7]);
});
