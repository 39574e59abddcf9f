import { redirect } from "next/navigation";

/** The console opens in test mode, where mistakes do no harm. */
export default function ConsoleRoot() {
  redirect("/console/test");
}
