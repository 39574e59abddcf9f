import { buttonClass } from "#components/ui/button-class.ts";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";

type AddedKeyQuestionProps = {
  userId: number;
  kind: "public_key" | "address";
  /** A key's fingerprint, or an address. */
  name: string;
  /** ISO 8601. */
  accountSince: string;
  /** ISO 8601. */
  addedAt: string;
  otherWays: number;
  /** What the form sends along. */
  fields: Record<"sid" | "attempt" | "callbackUrl", string>;
};

/** Which account an added key opens, and its holder's decision: a plain form, which needs no script. */
export function AddedKeyQuestion(props: AddedKeyQuestionProps) {
  const { userId, kind, name, accountSince, addedAt, otherWays, fields } = props;
  const what = kind === "address" ? "address" : "key";
  return (
    <>
      <div>
        <h1 className="font-semibold text-title">Is this your account?</h1>
        <p className="mt-2">
          Your {what} was added to an account from another browser. You are not signed in yet: look at the
          account first.
        </p>
      </div>
      <Facts>
        <Fact name="Account">User {userId}</Fact>
        <Fact name="Exists since">
          <LocalTime iso={accountSince} />
        </Fact>
        <Fact name="Other ways in">{otherWaysIn(otherWays)}</Fact>
        <Fact name={kind === "address" ? "Your address" : "Your key"}>
          <span className="font-mono">{name}</span>, added <LocalTime iso={addedAt} />
        </Fact>
      </Facts>
      <p className="text-muted-foreground text-sm">
        If you wanted an account of your own, or did not link this {what} yourself, say that it is not yours:
        whoever has the other ways in would see what you do there. Your {what} is then removed from it.
      </p>
      <form action="/api/account/added-key" method="post" className="grid gap-3 sm:grid-cols-2">
        {Object.entries(fields).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
        <button type="submit" name="decision" value="not-mine" className={buttonClass()}>
          This is not my account
        </button>
        <button
          type="submit"
          name="decision"
          value="continue"
          className={buttonClass({ variant: "primary" })}
        >
          Continue
        </button>
      </form>
    </>
  );
}

function otherWaysIn(count: number): string {
  if (count === 0) return "None";
  return count === 1 ? "1 other key or address" : `${count} other keys or addresses`;
}
