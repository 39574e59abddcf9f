"use client";

import { siteSource } from "@svc/login/client";
import { hostedSource } from "@svc/login/hosted/client";
import type { Action } from "@svc/login/protocol";
import { Login, type LoginProps } from "./login-panel.tsx";

/** One request signs in. */
const DIRECT = { direct: true };

// Made once: a source has to be the same object at every render.
const SOURCES = { login: siteSource("login", DIRECT), register: siteSource("register", DIRECT) };
const HOSTED = hostedSource();

/** A login, or a registration, at this site's own endpoints. */
export function SiteLogin({ action, ...props }: LoginProps & { action: Action }) {
  return <Login {...props} action={action} source={SOURCES[action]} />;
}

/** A login at the endpoints of a customer of the hosted API, which has no registration. */
export function HostedLogin(props: LoginProps) {
  return <Login {...props} action="login" source={HOSTED} />;
}
