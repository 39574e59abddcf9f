import { Camera, ImageUp } from "#packages/react/ui/icons.tsx";

const FRAME = "border-[light-dark(#1d1f24,#3a3e46)]";
const BUTTON = "flex items-center justify-center gap-1.5 rounded-base py-1.5 font-semibold text-sm";

export function PicturedSteps({ children }: { children: React.ReactNode }) {
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_12rem] lg:gap-8">
      {children}
      <ScanPicture />
    </div>
  );
}

/** Decorative, because the first step says the same. */
function ScanPicture() {
  return (
    <div
      aria-hidden="true"
      className={`self-start rounded-[1.75rem] border-[0.375rem] bg-card px-2.5 pt-2 pb-5 max-lg:hidden print:hidden ${FRAME}`}
    >
      <div className="mx-auto h-3 w-12 rounded-full bg-[light-dark(#1d1f24,#3a3e46)]" />
      <p className="mt-4 font-semibold">Wallet</p>
      <div className="mt-2 grid gap-2.5 rounded-base border p-2.5">
        <p className="text-muted-foreground text-sm">Sign in to a site</p>
        <span className={`bg-primary text-primary-foreground ring-4 ring-primary/25 ${BUTTON}`}>
          <Camera className="size-4 shrink-0" />
          Scan a code
        </span>
        <span className={`border border-input/50 ${BUTTON}`}>
          <ImageUp className="size-4 shrink-0" />
          Use an image
        </span>
      </div>
    </div>
  );
}
