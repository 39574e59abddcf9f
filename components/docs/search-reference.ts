/** A place in the reference that can be gone to. */
export type ReferenceEntry = {
  /** Its anchor. */
  id: string;
  name: string;
  /** What it can be found by, besides its name: paths, fields, errors. */
  terms: readonly string[];
  /** The prose that stands there. */
  text: string;
};

export type ReferenceGroup = { title: string; entries: readonly ReferenceEntry[] };

/** An entry that was found, with the term that matched where its name does not show why. */
export type FoundEntry = ReferenceEntry & { term: string | null };
export type FoundGroup = { title: string; entries: readonly FoundEntry[] };

/**
 * The entries that hold every word of a query, in any letter case, in the reference's order. An empty query finds all.
 */
export function searchReference(groups: readonly ReferenceGroup[], query: string): FoundGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return groups.flatMap(({ title, entries }) => {
    const found = entries.flatMap((entry) => {
      const places = [title, entry.name, entry.text, ...entry.terms].map((place) => place.toLowerCase());
      if (!words.every((word) => places.some((place) => place.includes(word)))) return [];
      const shown = `${title} ${entry.name}`.toLowerCase();
      const hidden = words.find((word) => !shown.includes(word));
      const term = entry.terms.find((one) => hidden !== undefined && one.toLowerCase().includes(hidden));
      return [{ ...entry, term: term ?? null }];
    });
    return found.length > 0 ? [{ title, entries: found }] : [];
  });
}
