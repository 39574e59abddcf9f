"use client";

import { Login, type LoginProps } from "#components/login/login.tsx";
import { hostedDemoSource } from "#lib/hosted-demo/hosted-demo-source.ts";

/** A login at the demo customer of the hosted API. */
export function HostedLogin(props: LoginProps) {
  return <Login {...props} action="login" source={hostedDemoSource} />;
}
