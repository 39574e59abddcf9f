import { SignOutButton } from "#packages/react/account/sign-out-button.tsx";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { Notice, TextLink } from "#packages/react/ui/elements.tsx";
import { UserRound } from "#packages/react/ui/icons.tsx";

export type Person = {
  userId: number;
  name: string | null;
  /** A URL. */
  picture: string | null;
};

export function personName({ name, userId }: Person): string {
  return name ?? `User ${userId}`;
}

/** The difference in hue, in degrees, between users with successive ids. Makes their colours clearly distinct. */
const GOLDEN_ANGLE = 137.5;

/** Hidden from screen readers, because the name is next to it. */
export function Avatar({ person, className }: { person: Person; className: string }) {
  const { userId, name, picture } = person;
  const shape = joinClassNames("flex shrink-0 items-center justify-center rounded-full", className);
  // biome-ignore lint/performance/noImgElement: the picture is already small, and images are not optimised here
  if (picture) return <img src={picture} alt="" className={joinClassNames(shape, "bg-muted object-cover")} />;
  const backgroundColor = `oklch(0.48 0.11 ${Math.round(userId * GOLDEN_ANGLE) % 360})`;
  return (
    <span
      aria-hidden
      className={joinClassNames(shape, "font-semibold text-white")}
      style={{ backgroundColor }}
    >
      {name ? initials(name) : <UserRound className="size-3/5" />}
    </span>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word) => Array.from(word ?? "")[0]?.toLocaleUpperCase("en")).join("");
}

export function HeaderUser({ person }: { person: Person }) {
  return (
    <>
      <a
        href="/dashboard"
        className="flex min-h-11 min-w-0 items-center gap-2 rounded-base px-2 text-sm underline-offset-4 hover:underline"
      >
        <Avatar person={person} className="size-7 text-[0.6875rem]" />
        <span className="max-w-28 truncate sm:max-w-48">{personName(person)}</span>
        <span className="sr-only">, your dashboard</span>
      </a>
      <SignOutButton userId={person.userId} />
    </>
  );
}

export function SignedInNotice({ userId, href }: { userId: number; href: string }) {
  return (
    <Notice className="mb-8">
      This browser is signed in as user {userId}. <TextLink href={href}>Continue to your account</TextLink>
    </Notice>
  );
}
