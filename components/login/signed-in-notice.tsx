import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";

/** Tells somebody who is signed in already, without standing in the way of another sign-in. */
export function SignedInNotice({ userId, href }: { userId: number; href: string }) {
  return (
    <Notice className="mb-8">
      This browser is signed in as user {userId}.{" "}
      <TextLink href={href}>Go on without signing in again</TextLink>
    </Notice>
  );
}
