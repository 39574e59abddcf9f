import { readFile } from "node:fs/promises";
import { serve } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import { createLogin, events, nodeSite, ownSession, readLoginEnv } from "@svc/login/node";
import { type Context, Hono } from "hono";

const { PORT = "3000", RATE_LIMIT_SCALE = "1" } = process.env;

const login = createLogin({
  plugins: [nodeSite(), ownSession(), events()],
  async setUp() {
    const { databaseUrl, dataFolder, ...env } = readLoginEnv(process.env);
    // Without DATABASE_URL, start the embedded PostgreSQL, which is installed only for development.
    const url = databaseUrl ?? (await (await import("@svc/postgres")).startPostgres(dataFolder));
    return { ...env, databaseUrl: url, limitScale: Number(RATE_LIMIT_SCALE) };
  },
});

const app = new Hono();

const answer = (c: Context) => login.handler(c.req.raw, getConnInfo(c).remote);
app.all("/api/svc/*", answer);
app.all("/webhook/*", answer);

app.get("/", (c) => page(c, "A site", '<p><a href="/login">Sign in</a></p>'));

app.get("/login", (c) =>
  page(
    c,
    "Scan this code with your wallet",
    `<a id="code"></a><p id="status" role="status"></p><script type="module" src="/login.js"></script>
<p><a href="/login?mode=register">Create an account</a> · <a href="/login">Sign in</a></p>`,
  ),
);

app.get("/dashboard", async (c) => {
  const session = await login.currentSession(c.req.raw.headers);
  if (!session) return c.redirect("/login");
  return page(
    c,
    `You are user ${session.userId}`,
    '<form method="post" action="/api/svc/sign-out"><button>Sign out</button></form>',
  );
});

const script = (url: string | URL) => async (c: Context) =>
  c.body(await readFile(new URL(url), "utf8"), 200, { "Content-Type": "text/javascript" });
app.get("/login.js", script(new URL("public/login.js", import.meta.url)));
app.get("/qr.js", script(import.meta.resolve("qr")));

// While the database is unreachable, `currentSession` throws an error with the status 503.
app.onError((error) => {
  const status = "status" in error ? Number(error.status) : 500;
  return new Response(status === 503 ? "Try again in a moment." : "Something failed.", { status });
});

function page(c: Context, title: string, body: string) {
  c.header("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; form-action 'self'");
  c.header("Referrer-Policy", "same-origin");
  c.header("Cache-Control", "no-store");
  return c.html(`<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1>${body}</html>`);
}

await login.start();
serve({ fetch: app.fetch, port: Number(PORT) }, ({ port }) => {
  process.stdout.write(`Ready on http://localhost:${port}\n`);
});
