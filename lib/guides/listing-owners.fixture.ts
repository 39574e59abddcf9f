/**
 * Records which test covers each code block in the guides. A block is identified by its first characters or its file
 * name.
 * - A path: this test runs the block, or compares it with the running code.
 * - `output`: text that a program prints, sends or receives, and that cannot be run.
 * - `there`: commands and settings for the reader's own machines or services, which no test can run.
 */
export type ListingOwner = string | "output" | "there";
/** The first characters of code blocks. */
export type ListingsByOwner = Record<ListingOwner, readonly string[]>;

const EXISTING_APPLICATION = "e2e/template/existing-application.test.ts";
const GUIDE_CODE = "lib/guides/guide-code.test.ts";
const HOSTED_GUIDES = "lib/guides/hosted-guides.integration.test.ts";
const TEMPLATE = "e2e/template/template.test.ts";
const HOSTED_TEMPLATE = "e2e/template/hosted.test.ts";
const OWN_DATA = "e2e/template/own-data.test.ts";
const COMMAND_LINES = "scripts/command-lines.test.ts";

export const LISTING_OWNERS: Record<string, ListingsByOwner> = {
  "docs/existing-application.md": {
    [EXISTING_APPLICATION]: [
      "npm run template -- ../login-template",
      ...["package.json", "next.config.ts", "lib/login.ts", "instrumentation.ts", "lib/auth.ts"],
      ...["app/api/svc/[...path]/route.ts", "app/webhook/[...path]/route.ts"],
      ...["app/api/auth/[...nextauth]/route.ts", "app/wallet/enter/route.ts", "lib/wallet-session.ts"],
      ...["app/login/page.tsx", "app/account/page.tsx", "npx @better-auth/cli", "npx svc-wallet register"],
      ...["lib/current-user.ts", "app/account/wallet/page.tsx"],
    ],
    [TEMPLATE]: ["npm run dev"],
    [GUIDE_CODE]: ["lib/users.ts", "import { PrismaPg }"],
    "packages/login/cli/cli.test.ts": ["npx svc-login init"],
  },
  "docs/protecting.md": {
    [EXISTING_APPLICATION]: [
      ...["lib/session.ts", "app/invoices/page.tsx", "lib/invoices.ts", "app/invoices/layout.tsx"],
      ...["e2e/guards.spec.ts", "app/api/invoices/route.ts", "app/invoices/actions.ts"],
      ...["app/account-link.tsx", "proxy.ts", "lib/fresh-session.ts"],
    ],
  },
  "docs/testing-your-site.md": {
    [EXISTING_APPLICATION]: [
      ...["npm install --save-dev @playwright/test", "playwright.config.ts", "e2e/login.spec.ts"],
      'test("refuses an unknown wallet',
    ],
    "e2e/wallet-fixture.spec.ts": [
      'test("shows the account and the key',
      'test("signs in with a Bitcoin address through fast',
    ],
    [GUIDE_CODE]: ["// playwright.config.ts"],
  },
  "docs/own-data.md": {
    [OWN_DATA]: [
      ...["const { rows } = await", "npm install @prisma/client", "prisma/schema.prisma", "prisma.config.ts"],
      ...[
        "lib/database.ts",
        "const { note } = await",
        "await (await database()).note",
        "npx prisma migrate dev",
      ],
    ],
  },
  "docs/template.md": {
    [TEMPLATE]: ["npm run template -- ../my-site"],
    "scripts/template/write-template.test.ts": ["npm run template -- --update"],
    [GUIDE_CODE]: ["onEvent: async"],
  },
  "docs/hosted-customer.md": {
    [HOSTED_TEMPLATE]: [
      "npm start",
      "curl -s http://localhost:3000/sandbox",
      "npm run template -- ../my-shop",
    ],
    [GUIDE_CODE]: [
      ...["lib/login.ts", "instrumentation.ts", "app/api/svc/[...path]/route.ts"],
      ...["app/.well-known/svc-login/route.ts", "app/api/auth/[...nextauth]/route.ts"],
      ...["import { hostedSource }", "const redeemed = await", "createHostedLogin(async"],
      "import { createCustomer, memoryStore }",
    ],
  },
  "docs/hosted-quickstart.md": {
    [HOSTED_GUIDES]: [
      ...["import { createHash", "import base64, hashlib, hmac, json", "<!doctype html>"],
      "mkdir ../my-site",
    ],
  },
  "docs/api.md": {
    [HOSTED_GUIDES]: [
      ...["curl -s $SVC_API_URL/domains", "curl -s $SVC_API_URL/sessions", "curl -s $SVC_API_URL/deliveries"],
      'curl -s "$SVC_API_URL/deliveries?limit',
    ],
    [COMMAND_LINES]: ["npm run admin -- api-key create", "npm run wallet -- login"],
    output: ["{\n", '{ "event": "login"', '{ "domain": "shop.example"', '{ "error":'],
  },
  "docs/events.md": {
    "lib/hosted/crypto/verify-examples.test.ts": [
      ...["import { createHmac", "import base64, hashlib, hmac, time", "func isGenuine"],
    ],
    output: ["POST /your/path", "{\n"],
  },
  "docs/delegation.md": {
    "lib/hosted/sessions/own-host.integration.test.ts": [
      "# Wallets post to this path",
      "/** Returns a session's code",
    ],
    output: ['{"domain":"shop.example"', "Content-Type: application/json", '{ "delegation":'],
    there: ["location = /.well-known/svc-login", "curl -s $API/domains"],
  },
  "docs/wallet.md": {
    "packages/wallet/derive-key.test.ts": [
      ...["phrase ", "path ", "challenge ", "https://example.com/api/fastauth?sid=0123"],
    ],
    "packages/wallet/wallet-response.test.ts": ["svc://auth?webhook=", '{\n  "public_key": "0454'],
    "packages/wallet/fingerprint-words.test.ts": ["acorn album"],
    [GUIDE_CODE]: ["   аa еe", "access account"],
    [COMMAND_LINES]: ["npm run wallet -- register"],
    output: ["{\n"],
  },
  "docs/where-it-runs.md": {
    [GUIDE_CODE]: ["lib/login.ts", "app/api/cron/route.ts"],
    there: ["upstream site {", "FROM node:26-slim AS build", "ALTER ROLE shop"],
  },
  "docs/testing.md": {
    [COMMAND_LINES]: ["npm test ", "npx vitest run"],
    output: ["Flaky, passed"],
  },
  "docs/conformance.md": {
    [COMMAND_LINES]: [
      "npm run conformance -- server",
      "npm run conformance -- pack",
      "npm run conformance -- explain",
    ],
    there: ["name: conformance"],
  },
  "docs/other-frameworks.md": {
    [GUIDE_CODE]: [
      ...["const login = createLogin", "const answer = (c: Context)", "app.all(", "  const session = await"],
      '<form method="post"',
    ],
    there: [
      "npm run template -- ../login-template",
      "Credentials({",
      "export async function GET({ nextUrl }",
    ],
  },
  "docs/python-site.md": {
    "packages/conformance/example-sites.integration.test.ts": ["python3 examples/python-site/site.py"],
    [COMMAND_LINES]: ["npm run conformance -- server"],
  },
  "docs/troubleshooting.md": { there: ["curl -si --json"] },
  "docs/dependencies.md": { [COMMAND_LINES]: ["npm run audit"] },
  "docs/performance.md": {
    [COMMAND_LINES]: ["npm run bench"],
    there: ["scrape_configs:"],
    output: ['{"level":30'],
  },
  "docs/reliability.md": {
    [COMMAND_LINES]: ["npm run resilience"],
    there: ["pg_dump --format=custom", "systemctl stop svc-login", "# On db1", "GRANT svc_login TO"],
  },
  "docs/operations.md": {
    [COMMAND_LINES]: ["npm run admin -- api-key create"],
    there: [
      ...["umask 077", "docker compose exec app", "cp deploy/cluster/cluster.env .", "rsync --archive"],
      ...["apt-get install", "patronictl -c", "pgbackrest=", "cp svc-login-backup.service"],
      ...["version=$(git", "export ETCDCTL_API"],
    ],
    output: ["| Member | Host"],
  },
  "docs/licence.md": { output: ["Copyright", "ISC License"] },
  "docs/protocol.md": {
    "packages/conformance/protocol.test.ts": [
      ...[
        "challenge = ",
        "payload    = ",
        "svc://auth?",
        "fast-token = ",
        "https://shop.example/api/fastauth",
      ],
      ...["GET /", "POST /", "HTTP/1.1 "],
    ],
    output: ['"delegation":', '{ "domain":'],
  },
  "README.md": {
    there: ["git clone <this repository>"],
  },
};
