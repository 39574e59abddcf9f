import { parseArgs } from "node:util";
import { ensureBuild } from "./server/ensure-build.ts";
import { ROOT } from "./server/prepare.ts";
import { serveApp } from "./server/serve-app.ts";
import { say } from "./server/tell-operator.ts";

/** `npm start` and `npm run dev`: from a prepared clone to a served application. */

const { values } = parseArgs({ options: { dev: { type: "boolean", default: false } } });

await serveApp(
  values.dev ? { development: true } : { development: false, build: () => ensureBuild(ROOT, say) },
);
