"use client";

import { useActionState } from "react";
import { Button, Section } from "@/components/ui.tsx";
import { useWords } from "@/components/words/words.tsx";

export type Note = { id: string; text: string };

/** What became of a new note: why it was refused, and its text, which then stays in the field. */
export type NoteState = { problem: "characters" | "full" | "tooMany" | null; text: string };

const EMPTY: NoteState = { problem: null, text: "" };

type NoteListProps = { notes: Note[]; add: (before: NoteState, form: FormData) => Promise<NoteState> };

/** The user's notes, and a field for a new one. */
export function NoteList({ notes, add }: NoteListProps) {
  const words = useWords().dashboard;
  const [{ problem, text }, act, isPending] = useActionState(add, EMPTY);
  return (
    <Section id="notes" title={words.notes}>
      <form action={act} className="flex gap-3">
        <input
          name="text"
          aria-label={words.note}
          placeholder={words.note}
          defaultValue={text}
          required
          readOnly={isPending}
          maxLength={200}
          className="w-full min-w-0 rounded-base border border-input bg-background px-3"
        />
        <Button type="submit" disabled={isPending}>
          {words.keep}
        </Button>
      </form>
      <p role="status" className="mt-2 text-danger text-sm empty:hidden">
        {problem && words.noteProblems[problem]}
      </p>
      <ul className="wrap-anywhere mt-4 grid gap-2">
        {notes.map((note) => (
          <li key={note.id}>{note.text}</li>
        ))}
      </ul>
    </Section>
  );
}
