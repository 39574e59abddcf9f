/* A package's `server.js`. It also loads on a Node.js that is too old for the rest, and reports that in a sentence. */
if (!process.features.typescript) {
  process.stderr.write(`Not started: Node 22.18 or newer is needed, and this is ${process.versions.node}.\n`);
  process.exit(1);
}
// Serves the contents of the package: nothing is installed or built here.
const { serveApp } = await import("./scripts/server/serve-app.ts");
await serveApp({ development: false, packaged: true });
