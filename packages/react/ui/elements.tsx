import type { ComponentProps } from "react";
import { ButtonLink, classNames } from "./button-look.tsx";
import { CircleCheck, Info, OctagonAlert, ShieldX, TriangleAlert } from "./icons.tsx";

/** The column of every page's content. */
export function Container({ className, children }: { className?: string; children: React.ReactNode }) {
  return (
    <div className={classNames("mx-auto w-full max-w-5xl px-4 py-8 sm:px-6 sm:py-12", className)}>
      {children}
    </div>
  );
}

/** A bordered surface. Padding follows the width of the screen. */
export function Card({ className, ...rest }: ComponentProps<"section">) {
  return <section className={classNames("rounded-base border bg-card p-4 sm:p-6", className)} {...rest} />;
}

/** A card's heading with an optional line under it and actions next to it. */
export function CardHeader({
  title,
  id,
  actions,
  children,
}: {
  title: string;
  id?: string;
  actions?: React.ReactNode;
  children?: React.ReactNode;
}) {
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0">
        <h2 id={id} className="font-semibold text-lg">
          {title}
        </h2>
        {children && <p className="text-muted-foreground text-sm">{children}</p>}
      </div>
      {actions}
    </header>
  );
}

/** A card under its heading. */
export function Section({
  id,
  title,
  text,
  actions,
  children,
  ...rest
}: ComponentProps<"section"> & { title: string; text?: React.ReactNode; actions?: React.ReactNode }) {
  return (
    <Card aria-labelledby={id} {...rest}>
      <CardHeader title={title} id={id} actions={actions}>
        {text}
      </CardHeader>
      {children}
    </Card>
  );
}

/** Details for people who want to know more. */
export function Disclosure({ summary, children, ...rest }: ComponentProps<"details"> & { summary: string }) {
  return (
    <details className="mt-4 border-t pt-2" {...rest}>
      <summary className="flex min-h-11 cursor-pointer items-center rounded-base text-sm underline underline-offset-4">
        {summary}
      </summary>
      {children}
    </details>
  );
}

/** A page with one card: its subject, and a link to continue (`next`) if it asks no question. */
export function CardPage({
  title,
  next,
  children,
}: {
  title?: string;
  next?: { href: string; label: string };
  children: React.ReactNode;
}) {
  return (
    <Container className="max-w-xl">
      <Card className="grid gap-5">
        {title && <h1 className="font-semibold text-title">{title}</h1>}
        {children}
        {next && (
          <ButtonLink variant="primary" href={next.href}>
            {next.label}
          </ButtonLink>
        )}
      </Card>
    </Container>
  );
}

/** Names and values, one under the other on a phone. */
export function Facts({ children }: { children: React.ReactNode }) {
  return <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="contents">
      <dt className="-mb-3 text-muted-foreground sm:mb-0">{name}</dt>
      <dd className="wrap-anywhere min-w-0">{children}</dd>
    </div>
  );
}

export type BadgeTone = "neutral" | "success" | "warning" | "danger";

const TONES: Record<BadgeTone, string> = {
  neutral: "text-muted-foreground",
  success: "text-success",
  warning: "text-warning",
  danger: "text-danger",
};

/** A short fact next to a name or in a table. The text carries the meaning, the tone only repeats it. */
export function Badge({ tone = "neutral", children }: { tone?: BadgeTone; children: React.ReactNode }) {
  return (
    <span
      className={classNames(
        "inline-flex items-center gap-1 whitespace-nowrap rounded-base border px-2 text-sm",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

/** A link in running text. */
export function TextLink({ className, href, ...rest }: ComponentProps<"a">) {
  return (
    <a
      href={href}
      className={classNames(
        "font-semibold text-primary underline underline-offset-4 hover:no-underline",
        className,
      )}
      {...rest}
    />
  );
}

/** Content that needs a script. Without JavaScript the same place says so, and why. */
export function NeedsScript(props: { title: string; why: string; children: React.ReactNode }) {
  const { title, why, children } = props;
  return (
    <>
      <div data-needs-script>{children}</div>
      <noscript>
        <div className="rounded-base border bg-card p-6 text-center">
          <p className="font-semibold text-lg">{title}</p>
          <p className="mt-2 text-muted-foreground text-sm">{why}</p>
        </div>
      </noscript>
    </>
  );
}

/** `blocked` is for an attack that was stopped: nothing else on a page looks like it. */
type NoticeTone = "info" | "success" | "warning" | "danger" | "blocked";

const LOOKS = {
  info: { Icon: Info, box: "border-primary/25 bg-info-surface", icon: "text-primary" },
  success: { Icon: CircleCheck, box: "border-success/30 bg-success-surface", icon: "text-success" },
  warning: { Icon: TriangleAlert, box: "border-warning/40 bg-warning-surface", icon: "text-warning" },
  danger: { Icon: OctagonAlert, box: "border-danger/50 bg-danger-surface", icon: "text-danger" },
  blocked: { Icon: ShieldX, box: "border-2 border-danger bg-danger-surface", icon: "text-danger" },
} as const;

/** A boxed remark of one or two sentences, with what to do next. The more it matters, the more it stands out. */
export function Notice({
  tone = "info",
  title,
  children,
  className,
  ...rest
}: Omit<React.ComponentProps<"div">, "title"> & { tone?: NoticeTone; title?: string }) {
  const { Icon, box, icon } = LOOKS[tone];
  return (
    <div
      className={classNames("flex gap-3 rounded-base border p-3 text-sm sm:p-4", box, className)}
      {...rest}
    >
      <Icon aria-hidden className={classNames("size-5 shrink-0", icon)} />
      <div className="min-w-0 grow">
        {title && <p className="mb-1 font-semibold text-base leading-5">{title}</p>}
        {children}
      </div>
    </div>
  );
}

/** The reason why a request failed, next to its button or form. Read aloud when it appears. */
export function Problem({ children, className }: { children: React.ReactNode; className?: string }) {
  return (
    <span role="status" className={classNames("text-danger text-sm empty:absolute", className)}>
      {children}
    </span>
  );
}
