"use client";

import { hostedSource } from "@svc/login/hosted/client";
import type { ComponentProps } from "react";
import { Login } from "./login-panel.tsx";

// Created once, because a source must be the same object at every render.
const SOURCE = hostedSource(undefined, { events: true });

/** The login panel of a customer of the hosted API, which has no registration. */
export function HostedLogin(props: Omit<ComponentProps<typeof Login>, "action" | "source">) {
  return <Login {...props} source={SOURCE} />;
}
