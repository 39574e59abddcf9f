/** The parts of a package.json that an update merges, entry by entry. */
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

/** An entry of package.json as the update found it: `dependencies.next`, and its values as written. */
export type ManifestEntry = {
  entry: string;
  /** Undefined if the site has no such entry. */
  yours: unknown;
  /** Undefined if no such entry was generated, or if that is unknown. */
  generated: unknown;
  current: unknown;
};

export type ManifestMerge = {
  /** The site's package.json, with every entry updated that its owner had not changed. */
  merged: Manifest;
  /** The generated package.json, for the next update. Unmerged entries stay unchanged. */
  original: Manifest;
  updated: ManifestEntry[];
  /** Entries that the owner has changed or removed and that differ in this version. */
  left: ManifestEntry[];
};

/**
 * Merges a newer package.json into a site's. Tarballs are always replaced. Any other entry is replaced only if the
 * owner has not changed it. Entries that the owner has removed stay removed.
 * @param original the package.json as it was generated; null if it is unknown
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
  // Both are undefined for an entry that is new in this version.
  if (isSame(yours, generated)) {
    set(merge.merged, place, name, current);
    merge.updated.push(entry);
  } else {
    merge.left.push(entry);
    set(merge.original, section, name, generated);
  }
}

/** Returns where a site lists a package, because the site's owner may have moved the package to another list. */
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
