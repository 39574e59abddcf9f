import type { GuideLink } from "#components/docs/guide-page.tsx";
import type { Guide } from "#lib/guides/parse-guide.ts";
import {
  type GuideGroup,
  guidePath,
  listGuideFiles,
  readGuide,
  readGuideIndex,
  resolveGuideLink,
} from "#lib/guides/read-guide.ts";
import {
  createSearchEntries,
  createSearchIndex,
  type SearchResult,
  searchGuides,
} from "#lib/guides/search-guides.ts";
import { env } from "#lib/platform/env.ts";
import { waitForEventLoopTurn } from "#packages/login/process/state.ts";
import { CONTENTS } from "./api/contents.ts";

const REFERENCE = { href: "/docs/api", name: "API reference", about: "every operation of the hosted API" };

export function readGuideHere(file: string): Promise<Guide | null> {
  return readGuide(file, env().APP_URL.origin);
}

/** The number of groups at the beginning of docs/README.md that are for newcomers. */
export const STARTING_GROUPS = 3;
/** The number of groups at the beginning of docs/README.md that contain guides. The next group is the reference. */
export const READER_GROUPS = 5;

/** Ordered as in docs/README.md. The API reference is the first entry of the reference group. */
export async function listGuideGroups(): Promise<GuideGroup[]> {
  const groups = await listedIn("README.md");
  return groups.map((group, index) =>
    index === READER_GROUPS ? { ...group, guides: [REFERENCE, ...group.guides] } : group,
  );
}

export function listDecisionGroups(): Promise<GuideGroup[]> {
  return listedIn("decisions/README.md");
}

async function listedIn(file: string): Promise<GuideGroup[]> {
  const index = await readGuideHere(file);
  return (index ? readGuideIndex(index) : []).map((group) => ({
    ...group,
    guides: group.guides.flatMap(({ href, ...guide }) => {
      const path = resolveGuideLink(file, href);
      return path === null ? [] : [{ ...guide, href: path }];
    }),
  }));
}

export function findNeighbours(
  groups: readonly GuideGroup[],
  path: string,
): { previous: GuideLink | null; next: GuideLink | null } {
  const guides = groups.flatMap((group) => group.guides);
  const at = guides.findIndex(({ href }) => href === path);
  if (at < 0) return { previous: null, next: null };
  return { previous: guides[at - 1] ?? null, next: guides[at + 1] ?? null };
}

/** Most readers do not look for rules and contributors' notes. */
const WEIGHT = { lookedUp: 0.4, decision: 0.2 };

let index: Promise<ReturnType<typeof createSearchIndex>> | null = null;

export async function searchDocumentation(query: string): Promise<SearchResult[]> {
  if (process.env.NODE_ENV !== "production") index = null;
  index ??= makeIndex();
  // If a file cannot be read, the next search tries again.
  index.catch(() => {
    index = null;
  });
  const places = await index;
  await waitForEventLoopTurn();
  return searchGuides(places, query.slice(0, 100));
}

/**
 * Reads each guide in a separate turn of the event loop. Reading all of them in one turn would block other requests for
 * 200 ms.
 */
async function makeIndex() {
  const reference = CONTENTS.flatMap(({ entries }) =>
    entries.map(({ id, name, terms, text }) => ({
      href: `/docs/api#${id}`,
      page: REFERENCE.name,
      heading: name,
      terms,
      text: text.replaceAll("`", ""),
    })),
  );
  const groups = await listGuideGroups();
  const index = createSearchIndex(reference);
  // The two README files only list the other pages.
  for (const file of [...listGuideFiles()].filter((name) => !name.endsWith("README.md"))) {
    await waitForEventLoopTurn();
    const path = guidePath(file);
    const group = groups.findIndex(({ guides }) => guides.some(({ href }) => href === path));
    const weight = file.startsWith("decisions/")
      ? WEIGHT.decision
      : group < READER_GROUPS
        ? 1
        : WEIGHT.lookedUp;
    const about = groups[group]?.guides.find(({ href }) => href === path)?.about;
    const guide = await readGuideHere(file);
    if (guide) index.push(...createSearchIndex(createSearchEntries(guide, path, about, weight)));
  }
  return index;
}
