/** A moment to the millisecond, UTC: for comparing with a server's log. */
export function ExactTime({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} className="whitespace-nowrap font-mono text-sm tabular-nums" title={iso}>
      {iso.slice(11, 23)} UTC
    </time>
  );
}
