import { randomBytes } from "node:crypto";
import { fingerprintWords } from "@svc/login/protocol";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentSession } from "#app/current-person.ts";
import { Fact, Facts } from "#components/ui/details.tsx";
import { loginCore, readBrowserSecret } from "#lib/login.ts";
import { formatCredentialName } from "#packages/login/crypto/public-key.ts";
import { findQuestionForBrowser } from "#packages/login/plugins/added-keys/question.ts";
import type { AddedKeyQuestion } from "#packages/login/plugins/added-keys/store/added-key.ts";
import { readCallbackUrl } from "#packages/login/protocol/paths.ts";
import { buttonClass } from "#packages/react/ui/button-look.tsx";
import { CardPage } from "#packages/react/ui/elements.tsx";
import { LocalTime } from "#packages/react/ui/time.tsx";

export const metadata: Metadata = { title: "Your key was added to an account", robots: { index: false } };

/** Shown on the first sign-in with a key that someone else might have added. */
export default async function AddedKeyPage({ searchParams }: PageProps<"/login/added">) {
  const { sid, callbackUrl } = await searchParams;
  const question =
    typeof sid === "string"
      ? await findQuestionForBrowser(loginCore(), sid, await readBrowserSecret())
      : null;
  if (question === null && (await currentSession())) redirect("/dashboard");
  if (question?.state === "open") {
    return (
      <Question
        question={question}
        fields={{
          sid: String(sid),
          attempt: randomBytes(16).toString("hex"),
          callbackUrl: readCallbackUrl(callbackUrl) ?? "/dashboard",
        }}
      />
    );
  }
  return question?.state === "removed" ? (
    <CardPage title="It has been removed" next={{ href: "/register", label: "Create an account" }}>
      <p>
        The key or address that you signed with can no longer sign in to that account, and you were not signed
        in. You can now create your own account with it.
      </p>
    </CardPage>
  ) : (
    <CardPage title="This link is no longer active" next={{ href: "/login", label: "Sign in" }}>
      <p>This question was already answered, or it has expired. You were not signed in.</p>
    </CardPage>
  );
}

/** Works without JavaScript. */
function Question({
  question: { userId, kind, value, accountSince, addedAt, otherMethods },
  fields,
}: {
  question: Extract<AddedKeyQuestion, { state: "open" }>;
  fields: Record<"sid" | "attempt" | "callbackUrl", string>;
}) {
  const name = formatCredentialName(value);
  const what = kind === "address" ? "address" : "key";
  return (
    <CardPage>
      <div>
        <h1 className="font-semibold text-title">Is this your account?</h1>
        <p className="mt-2">
          Your {what} was added to an account from another browser. You are not signed in yet. Check the
          account first.
        </p>
      </div>
      <Facts>
        <Fact name="Account">User {userId}</Fact>
        <Fact name="Created">
          <LocalTime iso={accountSince.toISOString()} />
        </Fact>
        <Fact name="Other sign-in methods">{otherMethodsIn(otherMethods)}</Fact>
        <Fact name={kind === "address" ? "Your address" : "Your key"}>
          {fingerprintWords(name)?.join(" ")}
          <span className="block font-mono">{name}</span>
          <span className="block text-muted-foreground">
            Added <LocalTime iso={addedAt.toISOString()} />
          </span>
        </Fact>
      </Facts>
      <p className="text-muted-foreground text-sm">
        If you wanted your own account, or did not link this {what} yourself, choose “This is not my account”.
        Your {what} will then be removed from this account. Otherwise, anyone with one of the account’s other
        sign-in methods can see what you do in it.
      </p>
      <form
        action="/api/account/added-key"
        method="post"
        className="flex flex-wrap gap-3 *:grow *:whitespace-nowrap"
      >
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
    </CardPage>
  );
}

function otherMethodsIn(count: number): string {
  if (count === 0) return "None";
  return count === 1 ? "1 other key or address" : `${count} other keys or addresses`;
}
