import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createPackedManifest } from "./pack-package.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "packages", "login");
const readme = readFileSync(join(FOLDER, "README.md"), "utf8");
const { exports, bin = {}, name } = createPackedManifest("login");

/** Includes those of `export *`. */
function namesOf(path: string): string[] {
  const text = readFileSync(join(FOLDER, path), "utf8");
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names.split(","),
  );
  const declared = [...text.matchAll(/^export (?:async )?(?:function|class|const|type) (\w+)/gm)];
  const exportedNames = [...text.matchAll(/^export \* from "([^"]+)"/gm)].flatMap(([, from = ""]) =>
    namesOf(from),
  );
  return [
    ...exportedNames,
    ...listed.map((item) =>
      item
        .trim()
        .replace(/^type /, "")
        .replace(/^\w+ as /, ""),
    ),
    ...declared.map(([, each = ""]) => each),
  ];
}

describe("the package's README", () => {
  test("links only to files inside the package", () => {
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(links.filter((target) => !/^(#|https:)/.test(target))).toEqual([]);
  });

  test("names every export path, and imports only from these paths", () => {
    const documented = new Set([...readme.matchAll(/`(@svc\/login[^`]*)`/g)].map(([, each = ""]) => each));
    expect([...documented].toSorted()).toEqual(
      Object.keys(exports)
        .map((path) => path.replace(/^\./, name))
        .toSorted(),
    );
  });

  test("imports only names that exist", () => {
    for (const [, names = "", from = ""] of readme.matchAll(
      /^import \{([^}]*)\} from "@svc\/login([^"]*)"/gm,
    )) {
      const exported = namesOf(exports[`.${from}`] ?? "");
      for (const item of names.split(","))
        expect(exported, from).toContain(item.trim().replace(/^type /, ""));
    }
  });

  test("shows how to run each of the package's programs", () => {
    for (const program of Object.keys(bin)) expect(readme).toContain(`npx ${program} `);
  });
});

test("exports each type under the same name from all of the package's export paths", () => {
  const paths = Object.values(exports).filter((path) => /(index|hosted|node)\.ts$/.test(path));
  const typesByName = new Map<string, Set<string>>();
  for (const path of [...paths, ...globSync("protocol/*.ts", { cwd: FOLDER, exclude: ["**/*.test.ts"] })]) {
    const text = readFileSync(join(FOLDER, path), "utf8");
    for (const [, names = "", from = ""] of text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)"/gm)) {
      const source = join(FOLDER, path, "..", from);
      for (const item of names.split(",").filter((one) => one.trim())) {
        const knownFiles = typesByName.get(item.trim().replace(/^type /, "")) ?? new Set();
        typesByName.set(item.trim().replace(/^type /, ""), knownFiles.add(source));
      }
    }
  }
  expect(typesByName.size).toBeGreaterThan(30);
  expect([...typesByName].filter(([, sources]) => sources.size > 1)).toEqual([]);
});
