/** Invented owners with their true persons: respellings at one address, and strangers who look alike. */
import type { RecordedOwner } from '../../engine/owners/owner-identity.ts';

export interface MadeOwner extends RecordedOwner {
  /** Number of the true owner. */
  readonly owner: number;
}

/** Mulberry32. */
export function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const given =
  'JOHN MARY RUTH PETER ANNA THOMAS ALICE ROBERT HELEN JAMES LINDA DAVID SUSAN MICHAEL KAREN DONALD CAROL STEVEN JANET PAUL'.split(
    ' ',
  );
const onsets = 'B BR C CH D DR F G GR H K L M N P QU R S ST T TH V W'.split(' ');
const vowels = 'A E I O U AI EA OU'.split(' ');
const endings = 'LIN DER MAN TON WICK FORD LEY SON BERG NARD'.split(' ');
const trades = 'FARMS HOLDINGS CATTLE TIMBER PROPERTIES LAND INVESTMENTS BUILDERS'.split(' ');

/** @param count how many true owners, about */
export function makeOwners(seed: number, count: number) {
  const chance = chanceOf(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(chance() ** 1.5 * items.length)] as Item;
  const surname = () => `${pick(onsets)}${pick(vowels)}${pick(onsets)}${pick(vowels)}${pick(endings)}`;
  const surnames = Array.from({ length: Math.ceil(count / 6) }, surname);
  const rows: MadeOwner[] = [];
  /** Pairs of rows that are one owner in two spellings at one address. */
  const respelled: [number, number][] = [];
  let [owners, doors] = [0, 0];
  const address = () => {
    doors += 1;
    return `${doors} ELM ST||${59000 + (doors % 40)}`;
  };
  const add = (owner: number, name: string, mailing: string | null) =>
    rows.push({ owner, owner_name: name, owner_type: null, mailing_key: mailing }) - 1;
  const respell = (spellings: readonly string[]) => {
    const [owner, at] = [owners++, address()];
    const [first, ...more] = spellings.map((name) => add(owner, name, at));
    for (const one of more) respelled.push([first as number, one]);
  };
  const strangers = (names: readonly string[], sharesAddress: boolean) => {
    const at = address();
    for (const name of names) add(owners++, name, sharesAddress ? at : address());
  };
  while (owners < count) {
    const [last, first, other] = [pick(surnames), pick(given), pick(given)];
    const [brand, trade] = [surname(), pick(trades)];
    const kinds: (() => void)[] = [
      () => respell([`${last} ${first} A`, `${last}, ${first}`]),
      () => respell([`${last} ${first}`, `${last} ${first} & ${other === first ? 'ZOE' : other}`]),
      () => respell([`${last} ${first} ET UX`, `${last.toLowerCase()}, ${first.toLowerCase()} ANN`]),
      () => respell([`O'${last} ${first}`, `O${last} ${first} R`]),
      () => respell([`${brand} ${trade} LLC`, `${brand} ${trade} L.L.C.`, `The ${brand} ${trade}, LLC`]),
      () => respell([`${brand} ${trade} INC`, `${brand} ${trade} INCORPORATED`, `${brand} ${trade}`]),
      () => respell([`${brand} FAMILY REVOCABLE TRUST`, `${brand} FAM REV TR`]),
      () => respell([`${last} ${first} C/O ${surname()} AGENCY`, `${last} ${first} L`]),
      // Namesakes at two addresses, kin and neighbors of one box at one.
      () => strangers([`${last} ${first}`, `${last} ${first}`], false),
      () => strangers([`${last} ${first}`, `${last} ${first} JR`], true),
      () => strangers([`${last} ${first} A`, `${last} ${first} B`], true),
      () => strangers([`${last} ${first}`, `${last} ${first === 'RUTH' ? 'PAUL' : 'RUTH'}`], true),
      () => strangers([`${brand} ${trade} LLC`, `${brand} ORCHARDS LLC`], true),
      () => strangers([`${brand} ${trade} LLC`, `${brand} ${trade} LP`], true),
      () => strangers([`${last} ${first}`, `${last} ${first} TRUST`], true),
      () => strangers([`CITY OF ${brand}`, `${brand} ${trade} INC`], true),
      () =>
        strangers(
          given.slice(0, 12).map((name) => `${pick(surnames)} ${name}`),
          true,
        ),
      () => strangers([`${last} ${first} ${pick('CDEFGHKLM'.split(''))}`], false),
    ];
    pick(kinds)();
  }
  return { rows, respelled };
}
