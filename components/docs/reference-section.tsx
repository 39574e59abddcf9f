/**
 * A section of the reference: text, and what the text is about beside it where there is room. Its heading is a link to
 * itself.
 */
export function ReferenceSection({
  id,
  title,
  beside,
  below,
  children,
}: {
  id: string;
  title: string;
  beside?: React.ReactNode;
  below?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-16 grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 border-t py-8 lg:scroll-mt-0 xl:grid-cols-[minmax(0,1fr)_minmax(0,29rem)] xl:grid-rows-[auto_1fr]"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <h3 id={`${id}-title`} className="font-semibold">
          <a href={`#${id}`} className="underline-offset-4 hover:underline">
            {title}
          </a>
        </h3>
        {children}
      </div>
      {beside && (
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 self-start xl:sticky xl:top-6 xl:row-span-2">
          {beside}
        </div>
      )}
      {below}
    </section>
  );
}
