import { expect, test } from "vitest";
import { findChangelogFault } from "./find-changelog-fault.ts";

const HEAD = "# Changelog\n\nOne section per version.\n\n";

test.each([
  ["the section of its version first", "## 0.2.0\n\n- An entry.\n\n## 0.1.0\n\nFirst version.\n"],
  ["an empty section for unreleased changes", "## Unreleased\n\n## 0.2.0\n\n- An entry.\n"],
])("accepts a valid changelog: %s", (_what, text) => {
  expect(findChangelogFault("0.2.0", HEAD + text)).toBeNull();
});

test.each([
  ["no changelog", null, /no CHANGELOG/],
  ["no sections", HEAD, /not "## 0\.2\.0"/],
  ["only older versions", `${HEAD}## 0.1.0\n\nFirst version.\n`, /not "## 0\.2\.0"/],
  ["an empty section", `${HEAD}## 0.2.0\n\n## 0.1.0\n\nFirst version.\n`, /with an entry/],
  ["changes without a version", `${HEAD}## Unreleased\n\n- An entry.\n\n## 0.2.0\n\n- One.\n`, /Unreleased/],
])("refuses a package whose changelog is invalid: %s", (_what, text, reason) => {
  expect(findChangelogFault("0.2.0", text)).toMatch(reason);
});
