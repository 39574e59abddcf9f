"use client";

import { HostedLogin } from "#components/login/hosted-login.tsx";
import type { LoginProps } from "#components/login/login.tsx";
import { handingOver } from "#components/wallet/code-handover.ts";
import { hostedSource } from "#lib/customer/hosted-source.ts";

// Made once: a source has to be the same object at every render.
const SOURCE = handingOver(hostedSource("/api/hosted-demo"));

/** A login at the demo customer of the hosted API. */
export function DemoLogin(props: LoginProps) {
  return <HostedLogin {...props} source={SOURCE} />;
}
