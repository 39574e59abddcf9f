import type { ComponentProps } from "react";
import { ButtonLink, joinClassNames } from "./button-look.tsx";
import { CircleCheck, Info, OctagonAlert, ShieldX, TriangleAlert } from "./icons.tsx";

/** The column that contains every page's content. */
export function Container({ className, children }: { className?: string; children: React.ReactNode }) {
  return <div className={joinClassNames("svc-container", className)}>{children}</div>;
}

/** A bordered surface. Its padding depends on the width of the screen. */
export function Card({ className, ...rest }: ComponentProps<"section">) {
  return <section className={joinClassNames("svc-card", className)} {...rest} />;
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
    <header className="svc-card-header">
      <div className="svc-shrink">
        <h2 id={id} className="svc-heading svc-large">
          {title}
        </h2>
        {children && <p className="svc-note">{children}</p>}
      </div>
      {actions}
    </header>
  );
}

/** A card with a heading. */
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

/** A page with one card. `next` is a link to continue, for a card that does not ask a question. */
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
    <Container className="svc-narrow">
      <Card className="svc-stack">
        {title && <h1 className="svc-title">{title}</h1>}
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

export type BadgeTone = "neutral" | "success" | "warning" | "danger";

/** A short label next to a name or in a table. The tone only repeats what the text says. */
export function Badge({ tone = "neutral", children }: { tone?: BadgeTone; children: React.ReactNode }) {
  return <span className={`svc-badge svc-tone-${tone}`}>{children}</span>;
}

/** A link in running text. */
export function TextLink({ className, href, ...rest }: ComponentProps<"a">) {
  return <a href={href} className={joinClassNames("svc-link", className)} {...rest} />;
}

/** Content that needs JavaScript. Without JavaScript, a message says why it is needed. */
export function RequiresJavaScript(props: { title: string; why: string; children: React.ReactNode }) {
  const { title, why, children } = props;
  return (
    <>
      <div className="svc-needs-script">{children}</div>
      <noscript>
        <div className="svc-card svc-centered">
          <p className="svc-heading svc-large">{title}</p>
          <p className="svc-note">{why}</p>
        </div>
      </noscript>
    </>
  );
}

const ICONS = {
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  danger: OctagonAlert,
  /** Marks an attack that was stopped. Nothing else on a page looks like this. */
  blocked: ShieldX,
} as const;

/**
 * A boxed remark of one or two sentences that says what to do next. The more important the remark is, the more it
 * stands out.
 */
export function Notice({
  tone = "info",
  title,
  children,
  className,
  ...rest
}: Omit<React.ComponentProps<"div">, "title"> & { tone?: keyof typeof ICONS; title?: string }) {
  const Icon = ICONS[tone];
  return (
    <div className={joinClassNames("svc-notice", `svc-notice-${tone}`, className)} {...rest}>
      <Icon aria-hidden className="svc-notice-icon" />
      <div className="svc-notice-text">
        {title && <p className="svc-heading">{title}</p>}
        {children}
      </div>
    </div>
  );
}

/**
 * The reason why a request failed, shown next to its button or form. Screen readers announce this reason when it
 * appears.
 */
export function Problem({ children, className }: { children: React.ReactNode; className?: string }) {
  return (
    <span role="status" className={joinClassNames("svc-problem", className)}>
      {children}
    </span>
  );
}
