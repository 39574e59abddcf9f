"use client";

/** The hooks that the components use, for building your own panel. */
export { useLogin, useLoginSession } from "@svc/login/client";
