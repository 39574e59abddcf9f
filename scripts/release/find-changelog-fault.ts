/** Null if the newest section belongs to the version and has entries. */
export function findChangelogFault(version: string, changelog: string | null): string | null {
  if (changelog === null) return "there is no CHANGELOG.md";
  const sections = [...changelog.matchAll(/^## (.+)\n((?:(?!^## ).*\n?)*)/gm)].map(
    ([, title = "", text = ""]) => ({
      title: title.trim(),
      isEmpty: text.trim() === "",
    }),
  );
  const unreleased = sections.find(({ title, isEmpty }) => title === "Unreleased" && !isEmpty);
  if (unreleased)
    return `its newest changes are under "Unreleased": name their version, and set it in package.json`;
  const newest = sections.find(({ title }) => title !== "Unreleased");
  if (newest?.title !== version || newest.isEmpty)
    return `its newest section is not "## ${version}", with an entry`;
  return null;
}
