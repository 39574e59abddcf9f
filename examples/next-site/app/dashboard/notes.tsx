import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { type Note, NoteList, type NoteState } from "@/components/note-list.tsx";
import { database } from "@/lib/database.ts";
import { login } from "@/lib/login.ts";
import { textsOf } from "@/texts/languages.ts";

/** Shows the notes from the site's own table. Each row belongs to the user whose id is `session.userId`. */
export async function Notes({ userId }: { userId: number }) {
  const list = "SELECT id, text FROM note WHERE user_id = $1 ORDER BY id DESC LIMIT 20";
  const { rows } = await (await database()).query<Note>(list, [userId]);
  const texts = textsOf(await headers()).dashboard;
  return (
    <NoteList
      notes={rows}
      add={addNote}
      texts={{ notes: texts.notes, note: texts.note, keep: texts.keep, noteProblems: texts.noteProblems }}
    />
  );
}

/** Anyone can call a server action, so it checks the session, the limit and the text itself. */
async function addNote(_: NoteState, form: FormData): Promise<NoteState> {
  "use server";
  const session = (await login.currentSession(await headers())) ?? redirect("/login?callbackUrl=/dashboard");
  const text = String(form.get("text")).trim().slice(0, 200);
  // Requests are counted for each IP address and across all processes, as in the login itself.
  const isWithinLimit = await login.isWithinLimit(await headers(), { name: "notes", perMinute: 30 });
  if (!isWithinLimit) return { problem: "tooMany", text };
  // PostgreSQL cannot store NUL, and the other control characters are invisible.
  if (/\p{Cc}/u.test(text)) return { problem: "characters", text };
  const { rows } = await (await database()).query("SELECT add_note($1, $2)", [session.userId, text]);
  if (!rows[0].add_note) return { problem: "full", text };
  revalidatePath("/dashboard");
  return { problem: null, text: "" };
}
