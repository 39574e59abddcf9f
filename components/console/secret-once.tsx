import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";

/** A secret that is shown now and never again, until its owner says that it is kept. */
export function SecretOnce({
  title,
  secret,
  children,
  onKept,
}: {
  title: string;
  secret: string;
  children: React.ReactNode;
  onKept: () => void;
}) {
  return (
    <div role="status" className="grid gap-3 rounded-base border border-success p-4">
      <div>
        <p className="font-semibold">{title}</p>
        <p className="text-muted-foreground text-sm">{children}</p>
      </div>
      <code className="wrap-anywhere rounded-base bg-muted p-3 font-mono text-sm">{secret}</code>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={secret} variant="primary">
          Copy
        </CopyButton>
        <Button onClick={onKept}>I have stored it</Button>
      </div>
    </div>
  );
}
