"use client";

/** The hooks below the components, for a panel of your own. */
export { useLogin, useLoginSession } from "@svc/login/client";
