import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { Button, Section } from "@/components/ui.tsx";
import { wordsOf } from "@/components/words/languages.ts";
import { database } from "@/lib/database.ts";
import { login } from "@/lib/login.ts";

/** Shows the site's own table, beside the login's: `session.userId` says which user a row belongs to. */
export async function Notes({ userId }: { userId: number }) {
  const words = wordsOf(await headers()).dashboard;
  const list = "SELECT id, text FROM note WHERE user_id = $1 ORDER BY id DESC LIMIT 20";
  const { rows } = await (await database()).query<{ id: string; text: string }>(list, [userId]);
  return (
    <Section id="notes" title={words.notes}>
      <form action={addNote} className="flex gap-3">
        <input
          name="text"
          aria-label={words.note}
          placeholder={words.note}
          required
          maxLength={200}
          className="w-full min-w-0 rounded-base border border-input bg-background px-3"
        />
        <Button type="submit">{words.keep}</Button>
      </form>
      <ul className="wrap-anywhere mt-4 grid gap-2">
        {rows.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </Section>
  );
}

/** Anybody can call a server action, so it checks the session itself. */
async function addNote(form: FormData) {
  "use server";
  const session = (await login.currentSession(await headers())) ?? redirect("/login?callbackUrl=/dashboard");
  const text = String(form.get("text")).trim().slice(0, 200);
  if (text === "") return;
  await (await database()).query("INSERT INTO note (user_id, text) VALUES ($1, $2)", [session.userId, text]);
  revalidatePath("/dashboard");
}
