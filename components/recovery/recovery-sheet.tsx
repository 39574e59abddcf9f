type RecoverySheetProps = {
  codes: readonly [string, string];
  domain: string;
  /** The site's origin, where the codes are entered. */
  origin: string;
  userId: number | string;
  /** The date in words. */
  date: string;
};

/** The sheet that is printed: a slip for each code, to be cut apart and kept in two places. Hidden on the screen. */
export function RecoverySheet(props: RecoverySheetProps) {
  const { codes } = props;
  return (
    <div aria-hidden="true" className="hidden print:block">
      <Slip {...props} code={codes[0]} number={1} />
      <p className="my-6 border-t border-dashed pt-1 text-center text-muted-foreground text-sm">
        Cut here, and keep the two slips in two places
      </p>
      <Slip {...props} code={codes[1]} number={2} />
    </div>
  );
}

function Slip({
  code,
  number,
  domain,
  origin,
  userId,
  date,
}: RecoverySheetProps & { code: string; number: number }) {
  return (
    <section className="break-inside-avoid rounded-base border p-6">
      <div className="flex items-baseline justify-between gap-6">
        <p className="font-semibold text-title">{domain}</p>
        <p className="text-muted-foreground text-sm">Recovery code {number} of 2</p>
      </div>
      <p className="text-muted-foreground text-sm">
        User {userId}, made on {date}
      </p>
      <p className="my-5 whitespace-nowrap rounded-base border p-4 text-center font-mono font-semibold text-title tracking-wide">
        {code}
      </p>
      <p className="text-sm">
        This code brings your account back when you have lost your wallet. Whoever has it can take your
        account over: keep it as you keep a house key. It works once, and the other slip works without it.
      </p>
      <ol className="mt-3 list-inside list-decimal text-sm">
        <li>
          Go to <span className="font-semibold">{origin}/recover</span>. Enter the code there and nowhere
          else.
        </li>
        <li>Scan the QR code with your new wallet, and confirm that it is yours.</li>
        <li>Make new codes when you are asked to, and throw these away.</li>
      </ol>
    </section>
  );
}
