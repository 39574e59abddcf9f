import { serveApp } from "./server/serve-app.ts";

/** Serves what `npm run package` made: nothing is installed or built here. */

await serveApp({ development: false, packaged: true });
