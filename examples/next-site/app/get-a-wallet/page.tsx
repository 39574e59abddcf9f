import { CardPage, StepList } from "@svc/react";
import { headers } from "next/headers";
import { textsOf } from "@/texts/languages.ts";

export const generateMetadata = async () => ({ title: textsOf(await headers()).wallet.title });

/** Explains to visitors without a wallet how to get one. The panel links here. */
export default async function GetAWalletPage() {
  const { title, lead, steps, back } = textsOf(await headers()).wallet;
  return (
    <CardPage title={title} next={{ href: "/register", label: back }}>
      <p>{lead}</p>
      <StepList steps={steps} />
    </CardPage>
  );
}
