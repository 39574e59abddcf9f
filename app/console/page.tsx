import { redirect } from "next/navigation";

/** The console begins in test mode, in which mistakes have no consequences. */
export default function ConsoleRoot() {
  redirect("/console/test");
}
