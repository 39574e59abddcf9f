import type { ComponentProps } from "react";
import { ButtonLink, joinClassNames } from "./button-look.tsx";
import { CircleCheck, Info, OctagonAlert, ShieldX, TriangleAlert } from "./icons.tsx";

export function Container({ className, children }: { className?: string; children: React.ReactNode }) {
  return <div className={joinClassNames("svc-container", className)}>{children}</div>;
}

export function Card({ className, ...rest }: ComponentProps<"section">) {
  return <section className={joinClassNames("svc-card", className)} {...rest} />;
}

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

/** `next` is a link to continue, for a card that does not ask a question. */
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

/** The tone only repeats what the text says. */
export function Badge({ tone = "neutral", children }: { tone?: BadgeTone; children: React.ReactNode }) {
  return <span className={`svc-badge svc-tone-${tone}`}>{children}</span>;
}

export function TextLink({ className, href, ...rest }: ComponentProps<"a">) {
  return <a href={href} className={joinClassNames("svc-link", className)} {...rest} />;
}

/** Without JavaScript, a message says why it is needed. */
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
  /** Only for an attack that was stopped. */
  blocked: ShieldX,
} as const;

/** One or two sentences that say what to do next. The more important the remark is, the more it stands out. */
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

/** Shown next to the button or form of the failed request. Screen readers announce it when it appears. */
export function Problem({ children, className }: { children: React.ReactNode; className?: string }) {
  return (
    <span role="status" className={joinClassNames("svc-problem", className)}>
      {children}
    </span>
  );
}
