const SERVER = ["lib/login/protocol", "lib/login/crypto", "lib/login/store", "lib/login/server"];

/**
 * Which folder may import which: the house's arrows (docs/architecture.md). The longest folder that a path lies in
 * counts. Files of one folder may import each other; what is not listed may not be imported.
 */
export const DIRECTIONS: Record<string, readonly string[]> = {
  // The package, from its bottom to its top: formats, signatures, SQL, use cases, the door, what a site mounts.
  "lib/login/protocol": [],
  "lib/login/crypto": ["lib/login/protocol"],
  "lib/login/store": ["lib/login/protocol"],
  "lib/login/server": ["lib/login/protocol", "lib/login/crypto", "lib/login/store"],
  "lib/login/client": ["lib/login/protocol"],
  "lib/login/process": [],
  "lib/login/database": ["lib/login/protocol", "lib/login/store", "lib/login/process"],
  "lib/login/http": [...SERVER, "lib/login/database", "lib/login/process"],
  "lib/login/gate": [...SERVER, "lib/login/process", "lib/login/http"],
  "lib/login/approval": [...SERVER, "lib/login/client"],
  "lib/login/recovery": [
    ...SERVER,
    "lib/login/client",
    "lib/login/database",
    "lib/login/http",
    "lib/login/approval",
  ],
  "lib/login/account": [...SERVER, "lib/login/client", "lib/login/approval"],
  // A customer of the hosted API is another server: it knows the API only by HTTP.
  "lib/login/customer": [...SERVER, "lib/login/client", "lib/login/http"],
  "lib/login/site": [
    ...[...SERVER, "lib/login/process", "lib/login/database", "lib/login/http", "lib/login/gate"],
    ...["lib/login/account", "lib/login/approval", "lib/login/recovery", "lib/login/customer"],
  ],
  "lib/login/fast": [...SERVER, "lib/login/client", "lib/login/http", "lib/login/recovery", "lib/login/site"],
  "lib/login/testing": ["lib/login/protocol"],
  "lib/login": ["lib/login/"],
  "lib/postgres": [],
  "lib/terminal": [],
  // It judges only by the documents: if it shared code with what it tests, a mistake in that code would go unnoticed.
  "lib/conformance": ["lib/terminal"],
  // Runs of the kit from a page of this application: the kit judges, the platform records.
  "lib/conformance-runs": ["lib/login/", "lib/platform", "lib/conformance"],
  // It can be lifted out: lib/wallet/independence.test.ts.
  "lib/wallet": [],
  "lib/wallet/testing": ["lib/wallet"],
  "lib/wallet/cli": ["lib/wallet", "lib/terminal"],
  "lib/platform": ["lib/login/", "generated"],
  "lib/account": ["lib/login/", "lib/platform", "lib/hosted/sessions/undo-session.ts", "generated"],
  "lib/hosted": ["lib/login/", "lib/platform", "lib/wallet/delegation-file.ts", "generated"],
  "lib/hosted-demo": ["lib/login/", "lib/platform", "lib/hosted", "lib/account"],
  "lib/console": ["lib/login/", "lib/platform", "lib/account", "lib/hosted"],
  "lib/guides": [],
  "lib/routes": ["lib/login/", "lib/platform", "lib/hosted"],
  "lib/operations": ["lib/"],
  "components/words": [],
  "components/ui": ["components/words"],
  "components/site": ["components/ui", "lib/platform/http/preference-cookies.ts"],
  // What a template copies: it needs the package and the looks, and nothing else of ours.
  "components/login": [
    ...["components/words", "components/ui", "lib/login/client", "lib/login/protocol"],
    "lib/login/customer/client.ts",
  ],
  // What runs in the browser: formats, sources of codes, the wallet.
  components: [
    ...["components/", "lib/login/client", "lib/login/protocol", "lib/wallet"],
    "lib/hosted/contract",
    "lib/conformance-runs/messages.ts",
    ...["lib/login/fast/fast-source.ts", "lib/login/fast/protocol.ts"],
    ...[
      "lib/login/account/client",
      "lib/login/customer/client.ts",
      "lib/login/recovery/client",
      "lib/login/recovery/code.ts",
    ],
    ...["lib/login/http/numbers.ts"],
    // The types of what a site shows about an account.
    "lib/login/index.ts",
    ...[
      "lib/platform/http/preference-cookies.ts",
      "lib/guides/parse-guide.ts",
      "lib/guides/search-guides.ts",
    ],
  ],
  app: ["app/", "components/", "lib/"],
  scripts: ["scripts/", "lib/", "generated", "e2e/", "app/"],
  // The words of a site's pages, besides those of what it copies.
  "scripts/template/words": ["components/words"],
  e2e: ["e2e/", "scripts/", "lib/", "app/"],
};

/** An import that no arrow allows. */
type Violation = { file: string; imports: string };

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
