/** An update merges their entries one by one. */
const SECTIONS = [
  "engines",
  "scripts",
  "dependencies",
  "devDependencies",
  "overrides",
  "allowScripts",
] as const;

type Section = (typeof SECTIONS)[number];
export type Manifest = Partial<Record<Section, Record<string, unknown>>> & Record<string, unknown>;

/** For example `dependencies.next`. */
export type ManifestEntry = {
  entry: string;
  /** Undefined if the site has no such entry. */
  yours: unknown;
  /** Undefined if the entry was not generated, or if that is unknown. */
  generated: unknown;
  current: unknown;
};

export type ManifestMerge = {
  /** The site's package.json with updated entries, except those that its owner has changed. */
  merged: Manifest;
  /** The generated package.json for the next update. Entries that were not merged are unchanged. */
  original: Manifest;
  updated: ManifestEntry[];
  /** Entries that the owner has changed or removed and that this version changes. */
  left: ManifestEntry[];
};

/**
 * Always replaces the tarballs. Replaces any other entry only if the owner has not changed it. Does not restore entries
 * that the owner has removed.
 * @param original the package.json as it was generated; null if unknown
 */
export function mergeManifest(
  siteManifest: Manifest,
  original: Manifest | null,
  newer: Manifest,
): ManifestMerge {
  const merge: ManifestMerge = {
    ...{ merged: structuredClone(siteManifest), original: structuredClone(newer) },
    ...{ updated: [], left: [] },
  };
  for (const section of SECTIONS) {
    for (const [name, current] of Object.entries(newer[section] ?? {})) {
      const place = placeOf(siteManifest, section, name);
      const [yours, generated] = [siteManifest[place]?.[name], original?.[section]?.[name]];
      mergeEntry(merge, { section, place, name }, { yours, generated, current });
    }
  }
  return merge;
}

function mergeEntry(
  merge: ManifestMerge,
  { section, place, name }: { section: Section; place: Section; name: string },
  { yours, generated, current }: Pick<ManifestEntry, "yours" | "generated" | "current">,
): void {
  const isRemoved = yours === undefined && generated !== undefined;
  if (isRemoved || isSame(yours, current)) return;
  if (isTarball(current)) {
    set(merge.merged, place, name, current);
    return;
  }
  if (isSame(generated, current)) return;
  const entry = { entry: `${place}.${name}`, yours, generated, current };
  // Both `yours` and `generated` are undefined for an entry that is new in this version.
  if (isSame(yours, generated)) {
    set(merge.merged, place, name, current);
    merge.updated.push(entry);
  } else {
    merge.left.push(entry);
    set(merge.original, section, name, generated);
  }
}

/** The owner might have moved the package to another section. */
function placeOf(current: Manifest, section: Section, name: string): Section {
  if (section !== "dependencies" && section !== "devDependencies") return section;
  const places = [section, "dependencies", "devDependencies"] as const;
  return places.find((place) => current[place]?.[name] !== undefined) ?? section;
}

export const isTarball = (version: unknown) => /^file:[^/]+\.tgz$/.test(String(version));

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function set(manifest: Manifest, section: Section, name: string, value: unknown): void {
  manifest[section] = { ...manifest[section], [name]: value };
}
