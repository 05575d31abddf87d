/** How names of people are shortened where the stated list does not do. */
import { parseOwnerName } from '../contacts/owner-name.ts';
import { foldSpaces } from '../spec/text-fold.ts';

/** Given names as initials: `GOODNOW ALFRED & SUSAN` → `GOODNOW A & S`; null for names that are not of people. */
export function initialed(name: string): string | null {
  const parsed = parseOwnerName(name);
  if (parsed.kind !== 'individual' || parsed.persons.length === 0) return null;
  const families = new Map<string, string[]>();
  for (const { first, last, suffix } of parsed.persons) {
    const initial = [first.slice(0, 1), suffix].filter(Boolean).join(' ');
    families.set(last, [...(families.get(last) ?? []), initial]);
  }
  const short = [...families].map(([last, initials]) => foldSpaces(`${last} ${initials.join(' & ')}`)).join(' & ');
  return short.length < name.length ? short : null;
}
