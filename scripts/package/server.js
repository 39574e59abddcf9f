/* A package's `server.js`. */
if (!process.features.typescript) {
  process.stderr.write(`Not started: Node 22.18 or newer is needed, and this is ${process.versions.node}.\n`);
  process.exit(1);
}
const { serveApp } = await import("./scripts/server/serve-app.ts");
await serveApp({ development: false, packaged: true });
