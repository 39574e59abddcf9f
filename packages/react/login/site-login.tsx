"use client";

import { siteSource } from "@svc/login/client";
import type { Action } from "@svc/login/protocol";
import { Login, type LoginProps } from "./login-panel.tsx";

/** One request signs in. */
const DIRECT = { direct: true };

// Made once: a source has to be the same object at every render.
const SOURCES = { login: siteSource("login", DIRECT), register: siteSource("register", DIRECT) };

/** A login, or a registration, at this site's own endpoints. */
export function SiteLogin({ action, ...props }: LoginProps & { action: Action }) {
  return <Login {...props} action={action} source={SOURCES[action]} />;
}
