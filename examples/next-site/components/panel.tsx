import { Login } from "@svc/react";
import { headers } from "next/headers";
import { login } from "@/lib/login.ts";
import { textsOf } from "@/texts/languages.ts";
import { TrialLogin } from "./trial-login.tsx";

type PanelProps = { action: "login" | "register"; callbackUrl: string | null; registerHref?: string };

/** The panel in which users sign in and create accounts. In development, a trial wallet is next to the code. */
export async function Panel(props: PanelProps) {
  const { trial, trialNote } = textsOf(await headers()).login;
  const shown = { ...props, domain: await login.domain(), walletHref: "/get-a-wallet" };
  if (process.env.NODE_ENV !== "development") return <Login {...shown} />;
  return <TrialLogin {...shown} trial={trial} note={trialNote} />;
}
