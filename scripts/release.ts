import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLineOrExit } from "#packages/terminal/command-line.ts";
import { findChangelogFault } from "./release/find-changelog-fault.ts";
import { ROOT } from "./server/prepare.ts";
import { packPackage } from "./template/pack-package.ts";

/**
 * `npm run release`: creates each package's tarball in `dist/release`, with checksums and a bill of materials. The same
 * sources produce the same bytes.
 */

const PACKAGES = ["login", "react", "postgres", "wallet", "conformance"];
const RELEASE = join(ROOT, "dist", "release");

const { unreleased } = readCommandLineOrExit(
  {
    program: "npm run release --",
    about: "Builds the packages into dist/release, with checksums and a bill of materials for each.",
    commands: { "": { with: "[--unreleased]", does: "refuses a package whose changelog lacks its version" } },
    options: { unreleased: { does: "builds for trying out, whatever the changelogs say" } },
  },
  ({ values }) => values,
);

const faults = PACKAGES.flatMap((name) => {
  const file = join(ROOT, "packages", name, "CHANGELOG.md");
  const fault = findChangelogFault(
    manifestOf(name).version,
    existsSync(file) ? readFileSync(file, "utf8") : null,
  );
  return fault === null ? [] : [`packages/${name}: ${fault}.`];
});
if (faults.length > 0 && !unreleased) {
  process.stderr.write(`Not released:\n${faults.join("\n")}\n`);
  process.exitCode = 1;
} else {
  release();
}

function release(): void {
  rmSync(RELEASE, { recursive: true, force: true });
  mkdirSync(RELEASE, { recursive: true });
  for (const name of PACKAGES) {
    const { file } = packPackage(name, RELEASE);
    writeFileSync(join(RELEASE, file.replace(/\.tgz$/, ".cdx.json")), billOfMaterials(name));
  }
  const sums = readdirSync(RELEASE)
    .toSorted()
    .map(
      (file) =>
        `${createHash("sha256")
          .update(readFileSync(join(RELEASE, file)))
          .digest("hex")}  ${file}\n`,
    );
  writeFileSync(join(RELEASE, "SHA256SUMS"), sums.join(""));
  process.stdout.write(`${sums.join("")}Written to ${RELEASE}. Check with: sha256sum -c SHA256SUMS\n`);
}

function manifestOf(name: string): { name: string; version: string } {
  return JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8"));
}

/** Matches the lock file. Omits the time and the folder. */
function billOfMaterials(folder: string): string {
  const { name, version } = manifestOf(folder);
  const args = [
    "sbom",
    "--package-lock-only",
    "--sbom-format=cyclonedx",
    "--omit=dev",
    `--workspace=${name}`,
  ];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm sbom failed:\n${stderr}`);
  const { serialNumber: _, ...bill } = JSON.parse(stdout);
  const { timestamp: __, ...metadata } = bill.metadata;
  const component = {
    type: "library",
    name,
    version,
    "bom-ref": `${name}@${version}`,
    purl: `pkg:npm/${name}@${version}`,
  };
  return `${JSON.stringify({ ...bill, metadata: { ...metadata, component } }, null, 2)}\n`;
}
