"use client";

import { Login, type LoginProps } from "#components/login/login.tsx";
import { handingOver } from "#components/wallet/code-handover.ts";
import { hostedDemoSource } from "#lib/hosted-demo/hosted-demo-source.ts";

// Made once: a source has to be the same object at every render.
const SOURCE = handingOver(hostedDemoSource);

/** A login at the demo customer of the hosted API. */
export function HostedLogin(props: LoginProps) {
  return <Login {...props} action="login" source={SOURCE} />;
}
