/** A page with a list at its side; header and footer become as wide (components/site). */
export function WidePage({ className, children }: { className: string; children: React.ReactNode }) {
  return (
    <div data-wide className={`mx-auto w-full max-w-7xl px-4 sm:px-6 ${className}`}>
      {children}
    </div>
  );
}
