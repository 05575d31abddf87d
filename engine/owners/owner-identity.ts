/** An owner as one spelling at one mailing address, and what its name tells for a comparison. */
import { generationOf } from '../contacts/fold-name.ts';
import { ownerKey } from '../contacts/owner-key.ts';
import { parseOwnerName } from '../contacts/owner-name.ts';
import { ownerOf } from '../contacts/owner-name-words.ts';
import { legalForms, ownerWords, plainWord } from '../contacts/owner-spelling.ts';
import { type OwnerType, ownerType } from '../contacts/owner-type.ts';
import { abbreviated } from '../contacts/short-words.ts';
import { foldSpaces } from '../spec/text-fold.ts';

interface NamedPerson {
  readonly last: string;
  readonly first: string;
  /** First letter of the second given name; '' if unknown. */
  readonly middle: string;
  /** JR, SR, II …; '' if none is said. */
  readonly generation: string;
}

export interface OwnerIdentity {
  /** Folded name and mailing key. Equal in every import, so the user's verdicts name it. */
  readonly key: string;
  /** As recorded, without the recipient of letters. */
  readonly name: string;
  readonly mailingKey: string | null;
  readonly zip: string | null;
  readonly kind: OwnerType;
  /** What names the owner, shortened by the stated list: no initials, generations, legal forms. */
  readonly words: readonly string[];
  /** `LLC`, `CO INC`; '' for none. */
  readonly forms: string;
  /** Empty if the name is not of persons. */
  readonly persons: readonly NamedPerson[];
}

/** What a parcel records of its owner. */
export interface RecordedOwner {
  readonly owner_name: string | null;
  readonly owner_type: string | null;
  readonly mailing_key: string | null;
}

/** The name without care-of; a name that is nothing else is left whole. */
const nameOf = (recorded: string): string => foldSpaces(ownerOf(recorded));

/** @returns null for an unknown owner */
export function identityKey({ owner_name: owner, mailing_key: mailing }: Omit<RecordedOwner, 'owner_type'>) {
  const folded = ownerKey(nameOf(owner ?? ''));
  return folded === null ? null : `${folded} @ ${mailing ?? ''}`;
}

const isNaming = (word: string): boolean =>
  word.length > 1 && word !== 'AND' && !legalForms.has(word) && generationOf(word) === null;

/** @returns null for an unknown owner */
export function identityOf(recorded: RecordedOwner): OwnerIdentity | null {
  const key = identityKey(recorded);
  if (key === null) return null;
  const name = nameOf(recorded.owner_name ?? '');
  const words = abbreviated(ownerWords(name).join(' ')).split(' ');
  const parsed = parseOwnerName(name);
  return {
    ...{ key, name, mailingKey: recorded.mailing_key },
    zip: /\|(\d{5})$/.exec(recorded.mailing_key ?? '')?.[1] ?? null,
    kind: (recorded.owner_type as OwnerType | null) ?? ownerType(name) ?? 'individual',
    words: [...new Set(words.filter(isNaming))],
    forms: words.flatMap((word) => legalForms.get(word) ?? []).join(' '),
    persons:
      parsed.kind !== 'individual'
        ? []
        : parsed.persons.map(({ last, first, middle = '', suffix = '' }) => ({
            ...{ last: plainWord(last), first: plainWord(first) },
            ...{ middle: plainWord(middle).charAt(0), generation: suffix },
          })),
  };
}
