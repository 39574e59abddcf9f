"use client";

/** The hooks behind the components, for your own panel. */
export { useLogin, useLoginSession } from "@svc/login/client";
