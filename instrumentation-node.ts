import { pathToFileURL } from "node:url";
import { hasEnv } from "#lib/platform/env.ts";

/**
 * Performs the setup of scripts/serve.ts if the process was started in another way. Node.js loads that script
 * unbundled, because it locates the migrations and PostgreSQL's programs by path.
 */
export async function setUpPlainNext(): Promise<void> {
  if (hasEnv()) return;
  if (!process.features.typescript) {
    process.stderr.write(
      `Not started: Node 22.18 or newer is needed, and this is ${process.versions.node}. Run \`npm start\` once: it downloads one, and \`npx next …\` takes it then.\n`,
    );
    // Next.js would otherwise continue without the gate and answer every request with a 500.
    process.exit(1);
  }
  const file = pathToFileURL(`${process.cwd()}/scripts/server/plain-next.ts`).href;
  const script: typeof import("#scripts/server/plain-next.ts") = await import(
    /* turbopackIgnore: true */ file
  );
  await script.setUpPlainNext();
}
