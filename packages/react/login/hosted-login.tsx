"use client";

import { hostedSource } from "@svc/login/hosted/client";
import { Login, type LoginProps } from "./login-panel.tsx";

// Made once: a source has to be the same object at every render.
const SOURCE = hostedSource();

/** A login at the endpoints of a customer of the hosted API, which has no registration. */
export function HostedLogin(props: LoginProps) {
  return <Login {...props} action="login" source={SOURCE} />;
}
