import connectPgSimple from "connect-pg-simple";
import express from "express";
import session from "express-session";
import passport from "passport";
import LnurlAuth from "passport-lnurl-auth";
import pg from "pg";

/**
 * Its own example (examples/simple.js), with sessions and the map from k1 to session in PostgreSQL, or in the
 * memory stores that it and express-session bring along.
 */

const connectionString = process.env.DATABASE_URL;
const pool = connectionString && new pg.Pool({ connectionString, max: 10 });
const url = process.env.APP_URL;
const PgStore = connectPgSimple(session);
const store = pool
  ? new PgStore({ pool, createTableIfMissing: true, pruneSessionInterval: false })
  : new session.MemoryStore();

/** Finds the session of a k1, as its MemoryStore does. */
const byK1 = {
  async save(k1, { id }) {
    await pool.query("INSERT INTO k1 (k1, sid) VALUES ($1, $2)", [k1, id]);
  },
  async get(k1) {
    const { rows } = await pool.query("SELECT sid FROM k1 WHERE k1 = $1", [k1]);
    if (!rows[0]) return undefined;
    const { sid } = rows[0];
    const data = await new Promise((resolve, reject) =>
      store.get(sid, (error, found) => (error ? reject(error) : resolve(found))),
    );
    return data && store.createSession({ sessionID: sid, sessionStore: store }, data);
  },
};

const app = express();
app.use(
  session({ secret: process.env.NEXTAUTH_SECRET, store, resave: false, saveUninitialized: true, cookie: {} }),
);
app.use(passport.initialize());
app.use(passport.session());
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));
passport.use(new LnurlAuth.Strategy((key, done) => done(null, { id: key })));
app.use(passport.authenticate("lnurl-auth"));
app.get("/", (request, response) => response.send(request.user ? "signed in" : "not signed in"));
app.get(
  "/login",
  (request, response, next) => (request.user ? response.redirect("/") : next()),
  new LnurlAuth.Middleware({ callbackUrl: `${url}/login`, cancelUrl: `${url}/`, store: pool ? byK1 : null }),
);
app.listen(Number(process.env.PORT));
