"use client";

import { SiteHeader } from "#components/site/frame.tsx";
import { typeface } from "#components/site/typeface.ts";
import ErrorPage from "./error.tsx";
import "./globals.css";

export default function GlobalErrorPage({ retry }: { retry: () => void }) {
  return (
    <html lang="en" className={typeface.variable}>
      <body className="flex min-h-dvh flex-col">
        <title>Something went wrong · svc login</title>
        <SiteHeader />
        <main id="content" tabIndex={-1} className="grow outline-none">
          <ErrorPage retry={retry} />
        </main>
      </body>
    </html>
  );
}
