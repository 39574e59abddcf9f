/** Our mark: the corner of a QR code whose eye is a keyhole. Takes the colour of the text around it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" fill="currentColor">
      <path
        fillRule="evenodd"
        d="M9 2h14a7 7 0 0 1 7 7v14a7 7 0 0 1-7 7H9a7 7 0 0 1-7-7V9a7 7 0 0 1 7-7Zm.5 4A3.5 3.5 0 0 0 6 9.5v13A3.5 3.5 0 0 0 9.5 26h13a3.5 3.5 0 0 0 3.5-3.5v-13A3.5 3.5 0 0 0 22.5 6h-13Z"
      />
      <path d="M16 9.5a4 4 0 0 0-2.05 7.430L12.8 22.5h6.400l-1.15-5.57A4 4 0 0 0 16 9.5Z" />
    </svg>
  );
}
