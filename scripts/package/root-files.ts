/** The part of package.json that a package is made from. */
export type PackageManifest = {
  name: string;
  version: string;
  license: string;
  imports: Record<string, string>;
};

const ADMIN = "node --disable-warning=ExperimentalWarning scripts/admin.ts";

/** The package.json of a package: nothing to install, and the commands that work in it. */
export function packageManifest({ name, version, license, imports }: PackageManifest) {
  return {
    name,
    version,
    license,
    private: true,
    type: "module",
    engines: { node: ">=22.18" },
    imports,
    scripts: { start: "node server.js", admin: ADMIN },
  };
}

/** A package's `server.js`. It loads on a Node that is too old for the rest, to say so in a sentence. */
export const SERVER_ENTRY = `if (!process.features.typescript) {
  console.error(\`Not started: Node 22.18 or newer is needed, and this is \${process.versions.node}.\`);
  process.exit(1);
}
await import("./scripts/serve-built.ts");
`;
