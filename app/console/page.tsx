import { redirect } from "next/navigation";

/** The console opens in test mode, where mistakes have no consequences. */
export default function ConsoleRoot() {
  redirect("/console/test");
}
