import { fingerprintWords } from "@svc/login/protocol";

/** A key or an address that is to be compared with what another screen shows: large, and a key in words too. */
export function KeyName({ name }: { name: string }) {
  const words = fingerprintWords(name);
  return (
    <p className="grid gap-1 rounded-base border bg-muted p-4 text-center">
      {words && <strong className="text-balance font-semibold text-title">{words.join(" ")}</strong>}
      <span className="wrap-anywhere font-mono">{name}</span>
    </p>
  );
}
