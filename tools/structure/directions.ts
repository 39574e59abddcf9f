const SERVER = [
  "packages/login/protocol",
  "packages/login/crypto",
  "packages/login/process",
  "packages/login/database",
  "packages/login/server",
];

const AROUND = ["packages/login/http", "packages/login/gate"];

/** The folders that plugins are built on. None of them imports a plugin. */
const CORE = [...SERVER, ...AROUND, "packages/login/site"];

/**
 * The folders that each folder may import (docs/architecture.md). For a file, the entry of the longest listed folder
 * that contains it applies. Files in the same folder may import each other. No other imports are allowed.
 */
export const ALLOWED_IMPORTS: Record<string, readonly string[]> = {
  // From the lowest layer to the highest: formats, signatures, SQL, use cases, request checks, and the functions that a
  // site mounts.
  "packages/login/protocol": [],
  "packages/login/crypto": ["packages/login/protocol"],
  "packages/login/server": ["packages/login/protocol", "packages/login/crypto", "packages/login/database"],
  "packages/login/client": ["packages/login/protocol"],
  "packages/login/process": [],
  "packages/login/database": ["packages/login/protocol", "packages/login/process"],
  "packages/login/http": SERVER,
  "packages/login/gate": [...SERVER, "packages/login/http"],
  "packages/login/site": [...SERVER, ...AROUND],
  // For any Node.js server, and for Next.js.
  "packages/login/node": CORE,
  "packages/login/next": [...CORE, "packages/login/node"],
  "packages/login/plugins/approvals": [...CORE, "packages/login/client"],
  "packages/login/plugins/added-keys": [...CORE, "packages/login/plugins/approvals"],
  "packages/login/plugins/linked-wallets": [
    ...CORE,
    "packages/login/client",
    "packages/login/plugins/approvals",
  ],
  "packages/login/plugins/account": [...CORE, "packages/login/client", "packages/login/plugins/approvals"],
  "packages/login/plugins/recovery": [
    ...CORE,
    "packages/login/client",
    "packages/login/plugins/approvals",
    "packages/login/plugins/account/store/credential.ts",
  ],
  "packages/login/plugins/events": CORE,
  "packages/login/plugins/next-auth": CORE,
  "packages/login/plugins/own-session": CORE,
  "packages/login/plugins/fast": [...CORE, "packages/login/client"],
  // A customer's separate server uses the hosted API only over HTTP.
  "packages/login/plugins/customer": [...SERVER, "packages/login/client", "packages/login/http"],
  // `npx svc-login` refuses an old Node.js as the login does.
  "packages/login/cli": ["packages/login/site/read-login-env.ts", "packages/login/site/options.ts"],
  "packages/login/testing": ["packages/login/protocol"],
  "packages/login": ["packages/login/"],
  "packages/postgres": [],
  "packages/terminal": [],
  // If the kit shared code with what it tests, it would miss mistakes in that code.
  "packages/conformance": ["packages/terminal"],
  // The kit does the checks, and the platform stores the results.
  "lib/conformance-runs": ["packages/login/", "lib/platform", "packages/conformance"],
  // The wallet can be used without the rest of this repository (packages/wallet/independence.test.ts).
  "packages/wallet": [],
  "packages/wallet/testing": ["packages/wallet"],
  "packages/wallet/cli": ["packages/wallet", "packages/terminal"],
  "lib/platform": ["packages/login/", "generated"],
  "lib/login.ts": ["packages/login/", "lib/platform", "lib/hosted-demo/hosted-logins.ts"],
  "lib/account": ["packages/login/", "lib/platform", "lib/login.ts", "generated"],
  "lib/hosted": ["packages/login/", "lib/platform", "packages/wallet/delegation-file.ts", "generated"],
  "lib/hosted-demo": ["packages/login/", "lib/platform", "lib/hosted", "lib/account", "lib/login.ts"],
  "lib/console": [
    ...["packages/login/", "lib/platform", "lib/account", "lib/hosted", "lib/login.ts"],
    "lib/hosted-demo/hosted-logins.ts",
  ],
  "lib/guides": [],
  "lib/routes": ["packages/login/", "lib/platform", "lib/hosted"],
  "lib/operations": ["lib/", "packages/"],
  // Components for the pages of any site. Their code runs in browsers.
  "packages/react": [
    ...["packages/login/client", "packages/login/protocol", "packages/login/plugins/customer/client.ts"],
    ...["packages/login/plugins/account/client", "packages/login/plugins/recovery/client"],
    "packages/login/plugins/linked-wallets/client",
    "packages/login/index.ts",
  ],
  "components/ui": ["packages/react/ui"],
  "components/site": [
    ...["components/ui", "packages/react/ui", "packages/react/texts"],
    ...["lib/platform/http/preference-cookies.ts", "lib/platform/http/mark.ts"],
  ],
  // Code that runs in browsers: formats, sources of codes, and the wallet.
  components: [
    ...["components/", "packages/react", "packages/login/client", "packages/login/protocol"],
    "packages/wallet",
    "lib/hosted/contract",
    "lib/conformance-runs/messages.ts",
    ...["packages/login/plugins/fast/fast-source.ts", "packages/login/plugins/fast/protocol.ts"],
    ...[
      "packages/login/plugins/account/client",
      "packages/login/plugins/customer/client.ts",
      "packages/login/plugins/recovery/client",
      "packages/login/plugins/recovery/code.ts",
    ],
    ...["packages/login/http/numbers.ts"],
    // The types of the account data that a site shows.
    "packages/login/index.ts",
    ...[
      "lib/platform/http/preference-cookies.ts",
      "lib/guides/parse-guide.ts",
      "lib/guides/search-guides.ts",
    ],
  ],
  app: ["app/", "components/", "lib/", "packages/"],
  scripts: ["scripts/", "tools/", "lib/", "packages/", "generated", "e2e/"],
  tools: ["tools/", "scripts/", "lib/", "packages/", "generated", "e2e/"],
  e2e: ["e2e/", "scripts/", "tools/", "lib/", "packages/"],
};

type Violation = { file: string; imports: string };

/** @param imports the files that each file imports, as paths relative to the repository */
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
  return !isOurs || (ALLOWED_IMPORTS[room] ?? []).some((allowed) => isBelow(target, allowed));
}

function roomOf(path: string): string | null {
  const rooms = Object.keys(ALLOWED_IMPORTS).filter((room) => isBelow(path, room));
  return rooms.sort((a, b) => b.length - a.length)[0] ?? null;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
