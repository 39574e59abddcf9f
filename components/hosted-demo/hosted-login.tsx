"use client";

import { Login, type LoginProps } from "#components/login/login.tsx";
import { handingOver } from "#components/wallet/code-handover.ts";
import { hostedSource } from "#lib/customer/hosted-source.ts";

// Made once: a source has to be the same object at every render.
const SOURCE = handingOver(hostedSource("/api/hosted-demo"));

/** A login at the demo customer of the hosted API. */
export function HostedLogin(props: LoginProps) {
  return <Login {...props} action="login" source={SOURCE} />;
}
