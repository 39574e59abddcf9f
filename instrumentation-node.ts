import { pathToFileURL } from "node:url";
import { hasEnv } from "#lib/platform/env.ts";

/**
 * Does what scripts/serve.ts has done where it started the process. Node loads it as it is, not bundled: it finds the
 * migrations and PostgreSQL's programs by paths of its own.
 */
export async function setUpPlainNext(): Promise<void> {
  if (hasEnv()) return;
  if (!process.features.typescript) {
    throw new Error(
      `Node ${process.version} is too old: \`npx next …\` takes the Node of this repository, and so does \`npm start\``,
    );
  }
  const file = pathToFileURL(`${process.cwd()}/scripts/server/plain-next.ts`).href;
  const script: typeof import("#scripts/server/plain-next.ts") = await import(
    /* turbopackIgnore: true */ file
  );
  await script.setUpPlainNext();
}
