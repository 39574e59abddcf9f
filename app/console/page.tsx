import { redirect } from "next/navigation";

/** The console begins in test mode, where nothing can be broken. */
export default function ConsoleRoot() {
  redirect("/console/test");
}
