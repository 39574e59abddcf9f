"use client";

/** Exports the hooks that the components use, so that you can build your own panel with them. */
export { useLogin, useLoginSession } from "@svc/login/client";
