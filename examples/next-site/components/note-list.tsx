"use client";

import { Button, Problem, Section } from "@svc/react";
import { useActionState } from "react";
import type { Texts } from "@/texts/en.tsx";

export type Note = { id: string; text: string };

/** The result of adding a note. If the note was refused, `problem` is the reason, and `text` stays in the field. */
export type NoteState = { problem: "characters" | "full" | "tooMany" | null; text: string };

type NoteListProps = {
  notes: Note[];
  add: (before: NoteState, form: FormData) => Promise<NoteState>;
  texts: Pick<Texts["dashboard"], "notes" | "note" | "keep" | "noteProblems">;
};

/** Shows the user's notes, and a field for a new one. */
export function NoteList({ notes, add, texts }: NoteListProps) {
  const [{ problem, text }, act, isPending] = useActionState(add, { problem: null, text: "" });
  return (
    <Section id="notes" title={texts.notes}>
      <form action={act} className="mb-2 flex gap-3">
        <input
          name="text"
          aria-label={texts.note}
          placeholder={texts.note}
          defaultValue={text}
          required
          readOnly={isPending}
          maxLength={200}
          className="w-full min-w-0 rounded-base border border-input bg-background px-3"
        />
        <Button type="submit" disabled={isPending}>
          {texts.keep}
        </Button>
      </form>
      <Problem>{problem && texts.noteProblems[problem]}</Problem>
      <ul className="wrap-anywhere mt-2 grid gap-2">
        {notes.map((note) => (
          <li key={note.id}>{note.text}</li>
        ))}
      </ul>
    </Section>
  );
}
