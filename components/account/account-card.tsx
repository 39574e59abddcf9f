import { Card } from "#components/ui/card.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";

export type AccountCardProps = {
  userId: number;
  /** A key's fingerprint, or an address. */
  credential: string;
  isAddress: boolean;
  /** The wallet's device as it told it, or null. */
  device: string | null;
  /** ISO 8601. */
  signedInAt: string;
};

/** Who is signed in here, with what, and since when. */
export function AccountCard({ userId, credential, isAddress, device, signedInAt }: AccountCardProps) {
  return (
    <Card aria-label="Account">
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-4">
        <Fact name="User">{userId}</Fact>
        <Fact name={isAddress ? "Address" : "Key fingerprint"}>
          <span className="wrap-anywhere font-mono text-sm">{credential}</span>
        </Fact>
        {!isAddress && <Fact name="Wallet’s device">{device ?? "Not reported"}</Fact>}
        <Fact name="Signed in">
          <LocalTime iso={signedInAt} />
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted-foreground text-sm">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
