/* A package's `server.js`. If Node.js is too old to run the package, prints a sentence that says so. */
if (!process.features.typescript) {
  process.stderr.write(`Not started: Node 22.18 or newer is needed, and this is ${process.versions.node}.\n`);
  process.exit(1);
}
// Serves the package's contents. Nothing is installed or built.
const { serveApp } = await import("./scripts/server/serve-app.ts");
await serveApp({ development: false, packaged: true });
