"use client";

import { hostedSource } from "@svc/login/hosted/client";
import type { ComponentProps } from "react";
import { Login } from "./login-panel.tsx";

// Created once, because a source must be the same object in every render.
const SOURCE = hostedSource(undefined, { events: true });

/** The login panel for a site that is a customer of the hosted API. Such a site has no separate registration. */
export function HostedLogin(props: Omit<ComponentProps<typeof Login>, "action" | "source">) {
  return <Login {...props} source={SOURCE} />;
}
