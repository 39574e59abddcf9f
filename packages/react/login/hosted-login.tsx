"use client";

import { hostedSource } from "@svc/login/hosted/client";
import type { ComponentProps } from "react";
import { Login } from "./login-panel.tsx";

// Created once, because a source must be the same object in every render.
const SOURCE = hostedSource(undefined, { events: true });

/** For customers of the hosted API, which have no separate registration. */
export function HostedLogin(props: Omit<ComponentProps<typeof Login>, "action" | "source">) {
  return <Login {...props} source={SOURCE} />;
}
