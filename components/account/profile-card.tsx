"use client";

import { requestChange } from "@svc/login/client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useChange } from "#packages/react/approval/approval-provider.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import { buttonClass } from "#packages/react/ui/button-look.tsx";
import { Modal } from "#packages/react/ui/dialog.tsx";
import { Problem } from "#packages/react/ui/elements.tsx";
import { Pencil } from "#packages/react/ui/icons.tsx";
import { TextField } from "#packages/react/ui/text-field.tsx";
import { TimeAgo } from "#packages/react/ui/time.tsx";
import { Avatar, type Person, personName } from "./person.tsx";

export function ProfileCard({
  person,
  signedInWith,
  signedInAt,
}: {
  person: Person;
  signedInWith: string;
  signedInAt: string;
}) {
  const [editing, setEditing] = useState(false);
  return (
    <section aria-label="Account" className="flex flex-wrap items-center gap-x-5 gap-y-4">
      <Avatar person={person} className="size-16 text-title sm:size-20" />
      <div className="min-w-0 grow basis-56">
        <h1 className="wrap-anywhere font-semibold text-title">{personName(person)}</h1>
        <p className="wrap-anywhere text-muted-foreground text-sm">
          {person.name !== null && <>User {person.userId} · </>}Signed in with {signedInWith}
          {"\u00a0"}· <TimeAgo iso={signedInAt} />
        </p>
      </div>
      <Button size="small" onClick={() => setEditing(true)}>
        <Pencil aria-hidden className="size-4 shrink-0" />
        {person.name === null ? "Add your name" : "Edit profile"}
      </Button>
      {editing && <EditProfile person={person} onClose={() => setEditing(false)} />}
    </section>
  );
}

const NAME_LENGTH = 60;

function EditProfile({ person, onClose }: { person: Person; onClose: () => void }) {
  const router = useRouter();
  const { pending, problem, change } = useChange();
  const [name, setName] = useState(person.name ?? "");
  /** A data URL, null to remove the picture, or undefined to leave it unchanged. */
  const [picture, setPicture] = useState<string | null>();
  const [unreadable, setUnreadable] = useState(false);
  const preview = {
    ...person,
    name: name.trim() || null,
    picture: picture === undefined ? person.picture : picture,
  };
  const choose = async (file: File | undefined) => {
    const jpeg = file && (await squareJpeg(file));
    setUnreadable(file !== undefined && !jpeg);
    if (jpeg) setPicture(jpeg);
  };
  const save = () =>
    change(
      () =>
        requestChange("/api/account/profile", "PATCH", {
          name,
          // A JPEG in base64. Undefined leaves the picture unchanged.
          picture: picture?.slice(picture.indexOf(",") + 1) ?? picture,
        }),
      () => {
        onClose();
        router.refresh();
      },
    );
  return (
    <Modal
      title="Your profile"
      text="Only you can see it. Your name and picture are not shared with the sites where you sign in."
      onCancel={onClose}
      className="max-w-md bg-card"
    >
      <form
        className="mt-5 grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <div className="flex items-center gap-4">
          <Avatar person={preview} className="size-16 text-title" />
          <div className="flex flex-wrap gap-3">
            <label
              className={buttonClass({
                size: "small",
                className: "cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2",
              })}
            >
              {preview.picture ? "Change picture" : "Choose picture"}
              <input
                type="file"
                accept="image/*"
                className="sr-only"
                onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
              />
            </label>
            {preview.picture && (
              <Button size="small" variant="quiet" onClick={() => setPicture(null)}>
                Remove picture
              </Button>
            )}
          </div>
        </div>
        <Problem className="-mt-3">
          {unreadable && "This browser cannot read that picture. Choose a PNG, JPEG or WebP file."}
        </Problem>
        <TextField
          label="Name"
          autoFocus
          autoComplete="name"
          maxLength={NAME_LENGTH}
          value={name}
          error={problem}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <div className="grid grid-cols-2 gap-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={pending}>
            {pending ? "Saving…" : "Save"}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

const SIDE = 256;
/** The length of a data URL whose picture is slightly smaller than the server's limit of 32 KiB. */
const LONGEST = 43_000;
const QUALITIES = [0.86, 0.6, 0.3];

/**
 * Redrawing removes the file's metadata, such as where the picture was taken.
 * @returns a data URL, or null if the browser cannot read the picture
 */
async function squareJpeg(file: Blob): Promise<string | null> {
  const image = await createImageBitmap(file).catch(() => null);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d");
  if (!image || !context) return null;
  const side = Math.min(image.width, image.height);
  // JPEG has no transparency.
  context.fillStyle = "white";
  context.fillRect(0, 0, SIDE, SIDE);
  context.drawImage(
    image,
    ...([(image.width - side) / 2, (image.height - side) / 2, side, side] as const),
    ...([0, 0, SIDE, SIDE] as const),
  );
  image.close();
  const pictures = QUALITIES.map((quality) => canvas.toDataURL("image/jpeg", quality));
  return pictures.find((url) => url.length <= LONGEST) ?? null;
}
