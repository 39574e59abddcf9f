import { SignOutButton } from "#packages/react/account/sign-out-button.tsx";
import { classNames } from "#packages/react/ui/button-look.tsx";
import { Notice, TextLink } from "#packages/react/ui/elements.tsx";
import { UserRound } from "#packages/react/ui/icons.tsx";

/** A signed-in user, as their own pages show them. */
export type Person = {
  userId: number;
  /** The name that the user chose, or null. */
  name: string | null;
  /** The URL of their picture, or null. */
  picture: string | null;
};

export function personName({ name, userId }: Person): string {
  return name ?? `User ${userId}`;
}

/** Degrees of hue between two users with successive ids, so that their colours differ clearly. */
const GOLDEN_ANGLE = 137.5;

/** A user's picture, or the initials on a coloured background. Decorative, because the name is next to it. */
export function Avatar({ person, className }: { person: Person; className: string }) {
  const { userId, name, picture } = person;
  const shape = classNames("flex shrink-0 items-center justify-center rounded-full", className);
  // biome-ignore lint/performance/noImgElement: it is small already, and the framework optimizes none here
  if (picture) return <img src={picture} alt="" className={classNames(shape, "bg-muted object-cover")} />;
  const backgroundColor = `oklch(0.48 0.11 ${Math.round(userId * GOLDEN_ANGLE) % 360})`;
  return (
    <span aria-hidden className={classNames(shape, "font-semibold text-white")} style={{ backgroundColor }}>
      {name ? initials(name) : <UserRound className="size-3/5" />}
    </span>
  );
}

/** Returns the initials of the first word and the last. */
function initials(name: string): string {
  const words = name.split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word) => Array.from(word ?? "")[0]?.toLocaleUpperCase("en")).join("");
}

/** The signed-in user in the header of every page: a link to their account and a button to sign out. */
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

/** Says that the user is already signed in, but lets them sign in again. */
export function SignedInNotice({ userId, href }: { userId: number; href: string }) {
  return (
    <Notice className="mb-8">
      This browser is signed in as user {userId}. <TextLink href={href}>Continue to your account</TextLink>
    </Notice>
  );
}
