import { expect, test } from "vitest";
import { splitChanges } from "./seen-changes.ts";

const at = (second: number, ms = 0) => new Date(1_800_000_000_000 + second * 1000 + ms).toISOString();
const change = (id: string, kind: "credential_added" | "api_key_revoked", second: number, ms = 0) =>
  ({ id, kind, at: at(second, ms) }) as const;
const note = (kind: string, from: number, to: number) =>
  `${kind}-${1_800_000_000 + from}-${1_800_000_000 + to}`;

const ids = (events: { id: string }[]) => events.map(({ id }) => id);

test("recognises this browser's own change by its kind and time", () => {
  const events = [change("1", "credential_added", 10), change("2", "api_key_revoked", 10)];
  const split = (cookie: string | undefined) => ids(splitChanges(events, cookie).ownChanges);
  expect(split(note("credential_added", 9, 11))).toEqual(["1"]);
  expect(split(note("credential_added", 20, 21))).toEqual([]);
  expect(split(note("credential_removed", 9, 11))).toEqual([]);
  for (const cookie of [undefined, "", "credential_added", "credential_added-x-y", `${"9".repeat(99)}.-.`]) {
    expect(split(cookie)).toEqual([]);
  }
});

test("shows both changes if a thief makes the same kind of change within the same second", () => {
  const events = [change("2", "credential_added", 10, 500), change("1", "credential_added", 10, 100)];
  const { open, ownChanges } = splitChanges(events, note("credential_added", 9, 11));
  expect([open.length, ownChanges.length]).toEqual([2, 0]);
  const twice = [note("credential_added", 9, 11), note("credential_added", 10, 11)].join(".");
  expect(splitChanges(events, twice)).toEqual({ open: [], ownChanges: events });
});

test("recognises all changes made by one request", () => {
  const events = [change("1", "api_key_revoked", 10), change("2", "api_key_revoked", 10)];
  expect(ids(splitChanges(events, note("api_key_revoked", 9, 11)).ownChanges)).toEqual(["1", "2"]);
});

test("omits only the changes that were dismissed in this browser", () => {
  const events = [change("12", "credential_added", 10), change("1", "credential_added", 11)];
  expect(splitChanges(events, "12")).toEqual({ open: [events[1]], ownChanges: [] });
});
