import { sessionIfKnown } from "#app/current-person.ts";
import { BrowserFrame, PhoneFrame, STAGE_CLASS } from "#components/site/login-scene.tsx";
import { DataSentToSite } from "#components/site/what-is-signed.tsx";
import { LiveLogin } from "#components/trial/live-login.tsx";
import { env } from "#lib/platform/env.ts";
import { ButtonLink, joinClassNames } from "#packages/react/ui/button-look.tsx";
import {
  ArrowRight,
  Building2,
  Fingerprint,
  KeyRound,
  ShieldCheck,
  Smartphone,
  type SvgIcon,
  UserRound,
} from "#packages/react/ui/icons.tsx";

const REASONS: { Icon: SvgIcon; title: string; text: string }[] = [
  {
    Icon: KeyRound,
    title: "Nothing to steal",
    text: "Sites store only a public key. A stolen database is no use to anyone.",
  },
  {
    Icon: ShieldCheck,
    title: "Nothing to phish",
    text: "Your wallet has a different key for every site. A fake page gets an answer that doesn’t work anywhere.",
  },
  {
    Icon: Fingerprint,
    title: "Nothing to remember",
    text: "A fingerprint, a face or a PIN on your own device. If you lose the device, two codes on paper let you back in.",
  },
];

export default async function HomePage() {
  const { DOMAIN, APP_URL, DEMO_WALLET, HOSTED_DEMO } = env();
  const session = await sessionIfKnown();
  const parts = [
    {
      title: "Demos",
      links: [
        ["/login", "Sign in with a wallet"],
        ["/fast", "Sign in with a Bitcoin address"],
        ...(HOSTED_DEMO ? [["/login/hosted", "See the hosted version"]] : []),
        ...(DEMO_WALLET ? [["/cheat", "Try to cheat"]] : []),
      ],
    },
    {
      title: "Tools",
      links: [
        ["/console", "The console"],
        ["/get-a-wallet", "Get a wallet"],
        ["/conformance", "Test your wallet"],
      ],
    },
  ];
  const introduction = (
    <>
      <h1 className="font-semibold text-display">Sign in with a key, not a password</h1>
      <p className="mt-5 text-lg text-muted-foreground">
        Scan a code, confirm in your wallet, and you’re in. For people who are tired of passwords, and for
        sites that are tired of storing them.
      </p>
      <p className="mt-3 text-muted-foreground text-sm">
        Open source: a package for Next.js, a hosted API, and an open protocol for wallets.
      </p>
    </>
  );
  return (
    <div data-wide className="mx-auto w-full max-w-7xl px-4 py-10 sm:px-6 sm:py-16">
      {DEMO_WALLET ? (
        <LiveLogin
          domain={DOMAIN}
          address={APP_URL.host}
          userId={session?.userId ?? null}
          isReachable={APP_URL.protocol === "https:"}
          picture={<Picture address={APP_URL.host} domain={DOMAIN} />}
        >
          {introduction}
        </LiveLogin>
      ) : (
        <div className="grid items-start gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,25rem)_minmax(0,1fr)]">
          <div>
            {introduction}
            <div className="mt-8 flex flex-wrap gap-3">
              <ButtonLink variant="primary" href={session ? "/dashboard" : "/login"}>
                {session ? "Open your dashboard" : "Sign in"}
              </ButtonLink>
              {!session && <ButtonLink href="/register">Create an account</ButtonLink>}
            </div>
          </div>
          <Picture address={APP_URL.host} domain={DOMAIN} />
        </div>
      )}
      <section aria-labelledby="why" className="mt-16 border-t pt-12 sm:mt-24 sm:pt-16">
        <h2 id="why" className="font-semibold text-title">
          Why a key is better
        </h2>
        <ul className="mt-8 grid gap-x-12 gap-y-8 md:grid-cols-3">
          {REASONS.map(({ Icon, title, text }) => (
            <li key={title}>
              <Icon aria-hidden strokeWidth={1.5} className="size-8 text-primary" />
              <h3 className="mt-4 font-semibold text-lg">{title}</h3>
              <p className="mt-1 text-muted-foreground">{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="whom" className="mt-16 border-t pt-12 sm:mt-24 sm:pt-16">
        <h2 id="whom" className="font-semibold text-title">
          Who uses it
        </h2>
        <ul className="mt-8 grid gap-4 md:grid-cols-3">
          <Audience Icon={UserRound} title="People who sign in" href="/register" action="Create an account">
            No form and no e-mail. Your account is a key that your wallet creates for that site only.
          </Audience>
          <Audience Icon={Building2} title="Sites" href="/docs" action="Add it to your site">
            A package for Next.js, or a hosted API that notifies your server by webhook. Five minutes to the
            first login.
          </Audience>
          <Audience
            Icon={Smartphone}
            title="Wallet makers"
            href="/docs/guides/wallet"
            action="Build a wallet"
          >
            An open protocol, test vectors, and a kit that tests your wallet against hostile sites.
          </Audience>
        </ul>
        <div className="mt-10 flex flex-wrap gap-x-12 gap-y-6">
          {parts.map(({ title, links }) => (
            <div key={title}>
              <h3 className="text-muted-foreground">{title}</h3>
              <ul className="mt-3 flex flex-wrap gap-3">
                {links.map(([href, name]) => (
                  <li key={href}>
                    <ButtonLink size="small" href={href}>
                      {name}
                    </ButtonLink>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </section>
    </div>
  );
}

function Audience({
  Icon,
  title,
  href,
  action,
  children,
}: {
  Icon: SvgIcon;
  title: string;
  href: string;
  action: string;
  children: React.ReactNode;
}) {
  return (
    <li className="group relative flex flex-col rounded-base border bg-card p-6 motion-safe:transition-colors hover:border-input">
      <Icon aria-hidden strokeWidth={1.5} className="size-8 text-primary" />
      <h3 className="mt-4 font-semibold text-lg">{title}</h3>
      <p className="mt-1 grow text-muted-foreground">{children}</p>
      <a
        href={href}
        className="mt-5 flex items-center gap-2 font-semibold text-primary after:absolute after:inset-0 after:rounded-base"
      >
        {action}
        <ArrowRight
          aria-hidden
          className="size-4 motion-safe:transition-transform motion-safe:group-hover:translate-x-1"
        />
      </a>
    </li>
  );
}

/** On a phone, shows the browser and the phone side by side at half the size. */
const SMALL_ON_PHONES =
  "max-md:grid-cols-[minmax(0,1fr)_18.5rem] max-md:[zoom:0.5] max-md:*:last:mt-10 max-md:*:last:-ml-6";

/** The live login replaces it when the visitor starts. */
function Picture({ address, domain }: { address: string; domain: string }) {
  return (
    <div aria-hidden className={joinClassNames(STAGE_CLASS, SMALL_ON_PHONES)}>
      <BrowserFrame address={address}>
        {/* Uses the same layout as the login panel, so that nothing moves when the visitor starts. */}
        <div className="mx-auto grid w-full max-w-100 content-start gap-4 p-4 sm:p-6">
          <p className="text-center">
            <span className="block text-muted-foreground text-sm">Sign in to</span>
            <strong className="font-semibold text-title">{domain}</strong>
          </p>
          <CodePicture />
          <p className="font-semibold">No password. Just a code.</p>
          <DataSentToSite domain={domain} className="border-t pt-4 max-md:hidden sm:grid-cols-2" />
        </div>
      </BrowserFrame>
      <PhoneFrame className="mx-auto min-h-152">
        <div className="grid justify-items-center gap-4 pt-6 text-center">
          <p className="font-semibold text-sm">Your wallet</p>
          <span className="mt-20 flex size-28 items-center justify-center rounded-full bg-primary/10 text-primary">
            <Fingerprint strokeWidth={1.25} className="size-16" />
          </span>
          <p>
            <span className="block text-muted-foreground text-sm">Are you signing in to</span>
            <strong className="font-semibold text-title">{domain}</strong>
          </p>
          <p className="max-w-56 text-muted-foreground text-sm">
            Your wallet shows the site’s name before it signs anything. Your key never leaves the wallet.
          </p>
        </div>
      </PhoneFrame>
    </div>
  );
}

const MODULES = 25;
const EYES = [
  [0, 0],
  [18, 0],
  [0, 18],
] as const;

/** Contains no data, and is faint, so that visitors do not try to scan it. */
function CodePicture() {
  const dots: string[] = [];
  for (let y = 0; y < MODULES; y++) {
    for (let x = 0; x < MODULES; x++) {
      const inEye = EYES.some(([left, top]) => x >= left - 1 && x < left + 8 && y >= top - 1 && y < top + 8);
      if (!inEye && (x * 7 + y * 13 + ((x * y) % 5) * 3) % 11 < 5) dots.push(`M${x} ${y}h1v1h-1z`);
    }
  }
  return (
    <svg
      aria-hidden="true"
      viewBox={`-3 -3 ${MODULES + 6} ${MODULES + 6}`}
      className="mx-auto w-full max-w-76 rounded-base border text-primary"
    >
      <path d={dots.join("")} fill="currentColor" fillOpacity="0.35" />
      {EYES.map(([x, y]) => (
        <g key={`${x} ${y}`} fill="none" stroke="currentColor">
          <rect x={x + 0.5} y={y + 0.5} width="6" height="6" rx="1.5" />
          <rect x={x + 2.5} y={y + 2.5} width="2" height="2" rx="0.5" fill="currentColor" />
        </g>
      ))}
    </svg>
  );
}
