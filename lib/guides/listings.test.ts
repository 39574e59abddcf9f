import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Listing, readListings } from "#e2e/template/read-guide.ts";
import { LISTING_OWNERS } from "./listing-owners.fixture.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const GUIDES = [...globSync("docs/*.md", { cwd: ROOT }), "README.md"].map((guide) => {
  const listings = readListings(readFileSync(join(ROOT, guide), "utf8"));
  const entries = Object.entries(LISTING_OWNERS[guide] ?? {}).flatMap(([owner, beginnings]) =>
    beginnings.map((beginning) => ({ owner, beginning })),
  );
  return { guide, listings, entries };
});

const isOf = (listing: Listing, beginning: string) =>
  listing.path === beginning || (listing.path === null && listing.text.startsWith(beginning));

test("runs every code block of a guide in a test, or lists the block as not runnable", () => {
  const open = GUIDES.flatMap(({ guide, listings, entries }) =>
    listings
      .filter((listing) => !entries.some(({ beginning }) => isOf(listing, beginning)))
      .map(({ section, path, text }) => `${guide}, ${section}: ${path ?? text.split("\n")[0]}`),
  );
  expect(open).toEqual([]);
});

test("lists only existing code blocks, and only existing tests that run them", () => {
  const guides = GUIDES.map(({ guide }) => guide);
  expect(Object.keys(LISTING_OWNERS).filter((guide) => !guides.includes(guide))).toEqual([]);
  const staleEntries = GUIDES.flatMap(({ guide, listings, entries }) =>
    entries
      .filter(({ beginning }) => !listings.some((listing) => isOf(listing, beginning)))
      .map(({ beginning }) => `${guide}: ${beginning}`),
  );
  expect(staleEntries).toEqual([]);
  const owners = new Set(GUIDES.flatMap(({ entries }) => entries.map(({ owner }) => owner)));
  const missing = [...owners].filter(
    (owner) => !["output", "there"].includes(owner) && !existsSync(join(ROOT, owner)),
  );
  expect(missing).toEqual([]);
});
