import { useEffect, useState } from "react";
import type { ReferenceEntry, ReferenceGroup } from "./search-reference.ts";

/** Below a sticky bar, down to a third of the window: what stands there is being read. */
const READ_BAND = "-80px 0px -66% 0px";

/** The entry whose section the reader is at; null above the first. */
export function useCurrentSection(groups: readonly ReferenceGroup[]): ReferenceEntry | null {
  const [currentId, setCurrentId] = useState<string | null>(null);
  useEffect(() => {
    const inBand = new Set<string>();
    const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id));
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          if (isIntersecting) inBand.add(target.id);
          else inBand.delete(target.id);
        }
        setCurrentId((before) => ids.find((id) => inBand.has(id)) ?? before);
      },
      { rootMargin: READ_BAND },
    );
    for (const id of ids) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [groups]);
  return groups.flatMap(({ entries }) => entries).find(({ id }) => id === currentId) ?? null;
}
