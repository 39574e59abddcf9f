"use client";

/** For sites that build their own panel. */
export { useLogin, useLoginSession } from "@svc/login/client";
