import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { Check, type SvgIcon, X } from "#packages/react/ui/icons.tsx";

/** docs/protocol.md#11-challenge */
type Challenge = { challenge: string; action: string; domain: string; issuedAt: number };

const NONCE_SHOWN = 4;

/** Everything that a wallet signs. */
export function ChallengeAnatomy({
  payload: { challenge, action, domain, issuedAt },
  title,
  className,
}: {
  payload: Challenge;
  title?: string;
  className?: string;
}) {
  const nonce = challenge.slice(challenge.lastIndexOf(":") + 1);
  const shortNonce = `${nonce.slice(0, NONCE_SHOWN)}…${nonce.slice(-NONCE_SHOWN)}`;
  const parts = [
    { part: action, what: "What you are about to do: sign in, or register" },
    { part: domain, what: "Which site is asking. Keys for other sites don’t work here." },
    { part: String(issuedAt), what: "When the code was created. It expires after 30 seconds." },
    { part: shortNonce, what: "32 random characters, so that the code can be used only once" },
  ];
  return (
    <figure className={joinClassNames("@container", className)}>
      {title && <figcaption className="mb-4 font-semibold">{title}</figcaption>}
      <p className="wrap-anywhere rounded-base bg-muted p-3 font-mono text-sm">
        <span className="text-muted-foreground">svc</span>
        {parts.map(({ part }) => (
          <span key={part}>
            <span className="text-muted-foreground">:</span>
            {part}
          </span>
        ))}
      </p>
      <dl className="mt-2 divide-y">
        {parts.map(({ part, what }) => (
          <div key={part} className="grid gap-x-4 py-2 @sm:grid-cols-[8rem_minmax(0,1fr)]">
            <dt className="wrap-anywhere font-mono text-primary text-sm">{part}</dt>
            <dd className="text-muted-foreground text-sm">{what}</dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}

const SIGNED_CODE = "The site’s code, signed by your wallet";
const GETS_FROM_KEY = ["A public key, made only for this site", SIGNED_CODE, "Which kind of wallet answered"];
const GETS_FROM_ADDRESS = ["Your Bitcoin address, which is the same at every site", SIGNED_CODE];

export function DataSentToSite({
  domain,
  over = false,
  withAddress = false,
  className,
}: {
  domain: string;
  /** True once the login has completed. */
  over?: boolean;
  /** True if a Bitcoin address answers (fast login), and not a wallet's key for this site. */
  withAddress?: boolean;
  className?: string;
}) {
  return (
    <div className={joinClassNames("grid gap-4 text-sm", className)}>
      <SentData
        title={
          <>
            What <span className="wrap-anywhere">{domain}</span> {over ? "got" : "gets"}
          </>
        }
        Icon={Check}
        tone="text-success"
        items={withAddress ? GETS_FROM_ADDRESS : GETS_FROM_KEY}
      />
      <DataNotSent over={over} />
    </div>
  );
}

export function DataNotSent({ over }: { over: boolean }) {
  return (
    <SentData
      title={over ? "It did not get" : "It does not get"}
      Icon={X}
      tone="text-muted-foreground"
      items={["A password, because there is none", "Your secret key", "Your name, e-mail or phone number"]}
    />
  );
}

function SentData({
  title,
  Icon,
  tone,
  items,
}: {
  title: React.ReactNode;
  Icon: SvgIcon;
  tone: string;
  items: string[];
}) {
  return (
    <section>
      <h2 className="font-semibold">{title}</h2>
      <ul className="mt-1 grid gap-1 text-muted-foreground">
        {items.map((item) => (
          <li key={item} className="flex gap-2">
            <Icon aria-hidden className={joinClassNames("mt-0.5 size-4 shrink-0", tone)} />
            {item}
          </li>
        ))}
      </ul>
    </section>
  );
}
