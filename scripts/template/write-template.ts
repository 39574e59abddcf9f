import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { recordGenerated, type TemplateName } from "./originals.ts";
import { packPackage } from "./pack-package.ts";

/** Everything that a security fix might have to change. */
export const PACKAGES: readonly string[] = ["login", "react", "postgres"];

/** `npm run template` copies these. */
export const EXAMPLES: Record<TemplateName, string> = {
  site: join(import.meta.dirname, "../../examples/next-site"),
  hosted: join(import.meta.dirname, "../../examples/hosted-site"),
};

/** The example's own commands create these. */
const GENERATED =
  /^(node_modules|\.next|\.data|test-results|next-env\.d\.ts|package-lock\.json|.*\.tsbuildinfo)$/;

/**
 * @param target a missing or empty folder; afterwards, it contains either the complete site or nothing
 * @param pack creates a package's tarball in a folder
 */
export async function writeTemplate(
  template: TemplateName,
  target: string,
  pack: typeof packPackage = packPackage,
): Promise<void> {
  // Fails here, before the slow packing, if the folder cannot be created.
  mkdirSync(dirname(target), { recursive: true });
  const temporary = mkdtempSync(join(tmpdir(), "svc-template-"));
  // Uses a subfolder: copying also copies permissions, and only the owner can read a temporary folder itself.
  const staging = join(temporary, "site");
  try {
    cpSync(EXAMPLES[template], staging, {
      recursive: true,
      filter: (path) => !GENERATED.test(basename(path)),
    });
    pinPackages(
      join(staging, "package.json"),
      PACKAGES.map((source) => pack(source, staging)),
    );
    recordGenerated(staging, template);
    cpSync(staging, target, { recursive: true });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function pinPackages(file: string, packages: { name: string; file: string }[]): void {
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  for (const section of [manifest.dependencies, manifest.devDependencies])
    for (const { name, file } of packages) if (name in section) section[name] = `file:${file}`;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
