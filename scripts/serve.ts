import { readCommandLineOrExit } from "#packages/terminal/command-line.ts";
import { ensureBuild } from "./server/ensure-build.ts";
import { print } from "./server/operator-output.ts";
import { ROOT } from "./server/prepare.ts";
import { serveApp } from "./server/serve-app.ts";

/** `npm start` and `npm run dev`: start the application from a clone. */

const development = readCommandLineOrExit(
  {
    program: "npm start --",
    about: "Serves the application. Its settings are environment variables (README.md).",
    commands: { "": { does: "installs, migrates and builds what is needed, and serves" } },
    options: { dev: { does: "with hot reload, as npm run dev" } },
  },
  ({ values }) => values.dev,
);

await serveApp(development ? { development } : { development, build: () => ensureBuild(ROOT, print) });
