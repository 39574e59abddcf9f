import { Check, type LucideIcon, X } from "lucide-react";
import { classNames } from "#components/ui/class-names.ts";

/** What a login tells the site, and what it does not: the whole of it. */
export function WhatTheSiteGets({
  domain,
  over = false,
  className,
}: {
  domain: string;
  /** It has happened. */
  over?: boolean;
  className?: string;
}) {
  return (
    <div className={classNames("grid gap-4 text-sm", className)}>
      <Told
        title={
          <>
            What <span className="wrap-anywhere">{domain}</span> {over ? "got" : "gets"}
          </>
        }
        Icon={Check}
        tone="text-success"
        items={[
          "A public key, made for this site alone",
          "Its own challenge, signed with that key",
          "Which kind of wallet answered",
        ]}
      />
      <Told
        title={over ? "What it did not get" : "What it does not get"}
        Icon={X}
        tone="text-muted-foreground"
        items={[
          "A password: there is none",
          "The private key or the seed",
          "Your name, e-mail or phone number",
        ]}
      />
    </div>
  );
}

function Told({
  title,
  Icon,
  tone,
  items,
}: {
  title: React.ReactNode;
  Icon: LucideIcon;
  tone: string;
  items: string[];
}) {
  return (
    <section>
      <h2 className="font-semibold">{title}</h2>
      <ul className="mt-1 grid gap-1 text-muted-foreground">
        {items.map((item) => (
          <li key={item} className="flex gap-2">
            <Icon aria-hidden className={classNames("mt-0.5 size-4 shrink-0", tone)} />
            {item}
          </li>
        ))}
      </ul>
    </section>
  );
}
