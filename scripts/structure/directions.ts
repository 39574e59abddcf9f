/**
 * Which folder may import which: the house's arrows (docs/architecture.md). The longest folder that a path lies in
 * counts. Files of one folder may import each other; what is not listed may not be imported.
 */
export const DIRECTIONS: Record<string, readonly string[]> = {
  "lib/login/protocol": [],
  "lib/login/crypto": ["lib/login/protocol"],
  "lib/login/store": ["lib/login/protocol"],
  "lib/login/server": ["lib/login/protocol", "lib/login/crypto", "lib/login/store"],
  "lib/login/client": ["lib/login/protocol"],
  "lib/login/testing": ["lib/login/protocol"],
  "lib/login": ["lib/login/"],
  "lib/postgres": [],
  "lib/delegation": [],
  // It judges from the documents alone: what tests and is tested with the same mistake agrees with itself.
  "lib/conformance": [],
  // Its runs by a page of this application: the kit judges, the platform records.
  "lib/conformance-runs": ["lib/login/", "lib/platform", "lib/conformance"],
  "lib/wallet": ["lib/login/protocol", "lib/delegation"],
  "lib/platform": ["lib/login/", "generated"],
  "lib/fast": ["lib/login/", "lib/platform", "lib/recovery", "lib/site"],
  // As the login for another site: it can be packed with it.
  "lib/recovery": ["lib/login/", "lib/platform/http", "lib/platform/database", "lib/approval", "lib/names"],
  "lib/approval": ["lib/login/"],
  "lib/names": [],
  "lib/account": [
    ...["lib/login/", "lib/platform", "lib/approval", "lib/recovery", "generated"],
    ...["lib/site", "lib/fast", "lib/customer", "lib/hosted/sessions/undo-session.ts"],
  ],
  "lib/hosted": ["lib/login/", "lib/platform", "lib/delegation", "generated"],
  "lib/hosted-demo": ["lib/login/", "lib/platform", "lib/hosted", "lib/customer", "lib/account"],
  "lib/console": ["lib/login/", "lib/platform", "lib/approval", "lib/account", "lib/hosted"],
  // The login for another site: the door, and no configuration, database client or log of this application.
  "lib/site": [
    ...["lib/login/", "lib/platform/http", "lib/platform/database", "lib/platform/env-values.ts"],
    ...["lib/platform/kept-secret.ts", "lib/platform/clock.ts", "lib/platform/shutdown.ts"],
    "lib/platform/process-singleton.ts",
    ...["lib/customer", "lib/approval", "lib/recovery", "lib/names"],
  ],
  // A wallet for a site's browser tests is the wallet's core, and nothing of the site's.
  "lib/site/testing": ["lib/wallet"],
  // A customer of the hosted API is another server: it knows the API by HTTP alone.
  "lib/customer": [...["lib/login/", "lib/platform/http"]],
  "lib/guides": [],
  "lib/routes": ["lib/login/", "lib/platform", "lib/fast", "lib/hosted"],
  "lib/operations": ["lib/"],
  "components/ui": [],
  "components/site": ["components/ui"],
  // What a template copies: it needs the package and the looks, and nothing else of ours.
  "components/login": [
    ...["components/ui", "components/site", "lib/login/client", "lib/login/protocol"],
    "lib/customer/hosted-source.ts",
  ],
  // What runs in the browser: formats, sources of codes, the wallet.
  components: [
    ...["components/", "lib/login/client", "lib/login/protocol", "lib/wallet", "lib/delegation"],
    "lib/hosted/contract",
    "lib/conformance-runs/messages.ts",
    ...["lib/fast/fast-source.ts", "lib/fast/protocol.ts"],
    ...["lib/approval/details.ts", "lib/approval/request-change.ts", "lib/approval/sources.ts"],
    ...["lib/customer/hosted-source.ts", "lib/recovery/client", "lib/recovery/code.ts"],
    "lib/recovery/recovery-view.ts",
    ...["lib/platform/http/api-error.ts", "lib/platform/numbers.ts"],
    ...["lib/platform/http/preference-cookies.ts", "lib/guides/parse-guide.ts"],
  ],
  app: ["app/", "components/", "lib/"],
  scripts: ["scripts/", "lib/", "generated", "e2e/", "app/"],
  e2e: ["e2e/", "scripts/", "lib/", "app/"],
};

/** An import that no arrow allows. */
export type Violation = { file: string; imports: string };

/**
 * The imports that break the directions.
 * @param imports resolved paths, relative to the repository, of what each file imports
 */
export function findViolations(imports: ReadonlyMap<string, readonly string[]>): Violation[] {
  return [...imports].flatMap(([file, targets]) => {
    const room = roomOf(file);
    if (room === null) return [];
    return targets.filter((target) => !isAllowed(room, target)).map((target) => ({ file, imports: target }));
  });
}

function isAllowed(room: string, target: string): boolean {
  if (roomOf(target) === room) return true;
  const isOurs = roomOf(target) !== null || target.startsWith("generated/");
  return !isOurs || (DIRECTIONS[room] ?? []).some((allowed) => isBelow(target, allowed));
}

/** The longest listed folder that a path lies in. */
function roomOf(path: string): string | null {
  const rooms = Object.keys(DIRECTIONS).filter((room) => isBelow(path, room));
  return rooms.sort((a, b) => b.length - a.length)[0] ?? null;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
