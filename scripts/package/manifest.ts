/** The part of package.json that a package is made from. */
export type PackageManifest = {
  name: string;
  version: string;
  license: string;
  imports: Record<string, string>;
};

const ADMIN = "node --conditions=react-server --disable-warning=ExperimentalWarning scripts/admin.ts";

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
