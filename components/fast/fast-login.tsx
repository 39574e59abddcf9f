"use client";

import { Login, type LoginProps } from "#components/login/login.tsx";
import { handingOver } from "#components/wallet/code-handover.ts";
import { fastSource } from "#lib/fast/fast-source.ts";

// Made once: a source has to be the same object at every render.
const SOURCE = handingOver(fastSource());

/** A login with a Bitcoin address. */
export function FastLogin(props: LoginProps) {
  return <Login {...props} action="login" source={SOURCE} />;
}
