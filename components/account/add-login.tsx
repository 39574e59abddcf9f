"use client";

import { Login, type LoginProps } from "#components/login/login.tsx";
import { handingOver } from "#components/wallet/code-handover.ts";
import { fastAddingSource, siteAddingSource } from "./login-sources.ts";

// Made once: a source has to be the same object at every render.
const SOURCES = { public_key: handingOver(siteAddingSource()), address: handingOver(fastAddingSource()) };

/** A code whose answer is added to the ways in which the signed-in user signs in. */
export function AddLogin({ kind, ...props }: LoginProps & { kind: keyof typeof SOURCES }) {
  return <Login {...props} action="add" source={SOURCES[kind]} />;
}
