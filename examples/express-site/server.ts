import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { createLogin, events, nodeSite, ownSession, readLoginEnv } from "@svc/login/node";
import express, { type ErrorRequestHandler, type Request } from "express";

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

const app = express().disable("x-powered-by");

// Mount the login before express.json() and other parsers, because the login reads request bodies itself.
app.all(
  ["/api/svc/*path", "/webhook/*path"],
  getRequestListener((request, { incoming }) =>
    login.handler(request, { address: incoming.socket.remoteAddress }),
  ),
);

app.use((_request, response, next) => {
  response.set({
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; form-action 'self'",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
  });
  next();
});

app.get("/", (_request, response) => void response.send(page("A site", '<a href="/login">Sign in</a>')));

app.get("/login", (_request, response) => {
  const body = `<a id="code"></a><p id="status" role="status"></p><script type="module" src="/login.js"></script>
<p><a href="/login?mode=register">Create an account</a> · <a href="/login">Sign in</a></p>`;
  response.send(page("Scan this code with your wallet", body));
});

app.get("/dashboard", async (request, response) => {
  const session = await currentSession(request);
  if (!session) return response.redirect("/login");
  const signOut = '<form method="post" action="/api/svc/sign-out"><button>Sign out</button></form>';
  response.send(page(`You are user ${session.userId}`, signOut));
});

app.use(express.static(`${import.meta.dirname}/public`));
app.get("/qr.js", (_request, response) => response.sendFile(fileURLToPath(import.meta.resolve("qr"))));

// While the database is unreachable, `currentSession` throws an error with the status 503.
app.use(((error, _request, response, _next) => {
  const status = Number(error.status ?? 500);
  response.status(status).send(status === 503 ? "Try again in a moment." : "Something failed.");
}) satisfies ErrorRequestHandler);

function currentSession({ headers: { cookie = "" } }: Request) {
  return login.currentSession(new Headers({ cookie }));
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1>${body}</html>`;
}

await login.start();
app.listen(Number(PORT), () => process.stdout.write(`Ready on http://localhost:${PORT}\n`));
