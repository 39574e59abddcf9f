"use client";

import { hostedSource } from "#lib/customer/hosted-source.ts";
import type { LoginSource } from "#lib/login/client/login-source.ts";
import { Login, type LoginProps } from "./login-panel.tsx";

// Made once: a source has to be the same object at every render.
const SOURCE = hostedSource();

/** A login through the hosted API, at this site's own endpoints. */
export function HostedLogin({ source = SOURCE, ...props }: LoginProps & { source?: LoginSource }) {
  return <Login {...props} action="login" source={source} />;
}
