/**
 * Which parcel of a home is which on the server. The server's registry decides: a parcel that it knows keeps the server's
 * id; a new one keeps the home's, unless another county or parcel has it.
 */
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import type { ServerIdentity } from './home-county.ts';

export interface RegistryRow {
  readonly property_id: number;
  readonly jurisdiction: string;
  readonly apn: string;
  readonly sequence: number;
  readonly geometry_hash: number | null;
}

export interface IdBlock {
  readonly first_id: number;
  readonly last_id: number;
  readonly fips: string;
}

export interface MatchedRegistry {
  /** By the id in the home, where id or sequence differ there. */
  readonly identities: ReadonlyMap<number, ServerIdentity>;
  /** Rows that the server lacks, under its ids. */
  readonly added: readonly RegistryRow[];
  /** Rows that the server has with another shape. */
  readonly redrawn: readonly RegistryRow[];
  /** The county's blocks with the new ids. */
  readonly blocks: readonly IdBlock[];
  /** Parcels that have another id on the server. */
  readonly renumbered: number;
}

interface MatchOptions {
  readonly fips: string;
  readonly home: readonly RegistryRow[];
  readonly server: readonly RegistryRow[];
  /** All blocks of the server. */
  readonly blocks: readonly IdBlock[];
  readonly renumber: boolean;
}

const keyOf = ({ jurisdiction, apn }: RegistryRow): string => JSON.stringify([jurisdiction, apn]);
const shownCollisions = 3;

/** @throws EngineError push_refused if ids collide and may not be renumbered */
export function matchRegistry(options: MatchOptions): MatchedRegistry {
  const { fips, home, server, blocks, renumber } = options;
  const pairs = pairRows(home, server, renumber);
  const known = new Map(server.map((row) => [row.property_id, row]));
  const ids = new IdGiver(fips, blocks, known, renumber);
  const sequences = new SequenceGiver(server);
  const identities = new Map<number, ServerIdentity>();
  const added: RegistryRow[] = [];
  const redrawn: RegistryRow[] = [];
  let renumbered = 0;
  const fresh = home.filter((row) => !pairs.has(row));
  // Those that keep their id come first: none of theirs is given away.
  for (const row of fresh) ids.claim(row, sequences.isTaken(row));
  for (const row of home) {
    const standing = pairs.get(row);
    const id = standing?.property_id ?? ids.idOf(row);
    const sequence = standing?.sequence ?? sequences.sequenceOf(row);
    if (id !== row.property_id || sequence !== row.sequence) identities.set(row.property_id, { id, sequence });
    if (id !== row.property_id) renumbered++;
    const made = { ...row, property_id: id, sequence };
    if (!standing) added.push(made);
    else if (standing.geometry_hash !== row.geometry_hash) redrawn.push(made);
  }
  ids.expectNoCollisions();
  return { identities, added, redrawn, blocks: ids.blocks(), renumbered };
}

/** Rows of both sides that are the same parcel. */
export function pairRows(
  home: readonly RegistryRow[],
  server: readonly RegistryRow[],
  renumber: boolean,
): ReadonlyMap<RegistryRow, RegistryRow> {
  const pairs = new Map<RegistryRow, RegistryRow>();
  const free = new Map(server.map((row) => [row.property_id, row]));
  for (const row of home) {
    const same = free.get(row.property_id);
    if (!same || keyOf(same) !== keyOf(row) || same.sequence !== row.sequence) continue;
    pairs.set(row, same);
    free.delete(row.property_id);
  }
  if (!renumber) return pairs;
  const byShape = ({ geometry_hash: hash }: RegistryRow) => String(hash);
  const byApn = ({ apn }: RegistryRow) => (apn === '' ? null : '');
  for (const beside of [byShape, byApn]) pairByKey(home, free, pairs, beside);
  return pairs;
}

function pairByKey(
  home: readonly RegistryRow[],
  free: Map<number, RegistryRow>,
  pairs: Map<RegistryRow, RegistryRow>,
  beside: (row: RegistryRow) => string | null,
): void {
  const waiting = new Map<string, RegistryRow[]>();
  for (const row of [...free.values()].sort((a, b) => b.sequence - a.sequence)) {
    const more = beside(row);
    if (more === null) continue;
    const key = keyOf(row) + more;
    const others = waiting.get(key);
    if (others) others.push(row);
    else waiting.set(key, [row]);
  }
  for (const row of home.filter((one) => !pairs.has(one)).sort((a, b) => a.sequence - b.sequence)) {
    const more = beside(row);
    const found = more === null ? undefined : waiting.get(keyOf(row) + more)?.pop();
    if (!found) continue;
    pairs.set(row, found);
    free.delete(found.property_id);
  }
}

class IdGiver {
  readonly #fips: string;
  readonly #blocks: readonly IdBlock[];
  readonly #known: ReadonlyMap<number, RegistryRow>;
  readonly #claimed = new Set<number>();
  readonly #mayRenumber: boolean;
  readonly #collisions: string[] = [];
  #collided = 0;
  /** Ids from here on are free for all counties. */
  #next: number;
  #given: number[] = [];

  constructor(fips: string, blocks: readonly IdBlock[], known: ReadonlyMap<number, RegistryRow>, mayRenumber: boolean) {
    this.#fips = fips;
    this.#blocks = [...blocks].sort((a, b) => a.first_id - b.first_id);
    this.#known = known;
    this.#mayRenumber = mayRenumber;
    this.#next = (this.#blocks.at(-1)?.last_id ?? 0) + 1;
  }

  /** @param isKnown whether the server has another parcel of this APN and sequence */
  claim(row: RegistryRow, isKnown: boolean): void {
    const id = row.property_id;
    const holder = this.#holderOf(id);
    const isFree = (holder === null || holder === this.#fips) && !this.#known.has(id);
    if (isFree && (!isKnown || this.#mayRenumber)) {
      this.#claimed.add(id);
      this.#next = Math.max(this.#next, id + 1);
      return;
    }
    if (this.#mayRenumber) return;
    this.#collided++;
    if (this.#collisions.length >= shownCollisions) return;
    const words = isFree ? 'has another number there' : `is there a parcel of ${holder ?? this.#fips}`;
    this.#collisions.push(`${id} (APN ${row.apn || 'none'}) ${words}`);
  }

  idOf(row: RegistryRow): number {
    if (this.#claimed.has(row.property_id)) return row.property_id;
    const id = this.#next++;
    this.#given.push(id);
    return id;
  }

  #holderOf(id: number): string | null {
    let [low, high] = [0, this.#blocks.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const block = this.#blocks[middle] as IdBlock;
      if (id < block.first_id) high = middle - 1;
      else if (id > block.last_id) low = middle + 1;
      else return block.fips;
    }
    return null;
  }

  expectNoCollisions(): void {
    if (this.#collided === 0) return;
    throw new EngineError(
      'push_refused',
      `${counted(this.#collided, 'parcel of this home has a number', 'parcels of this home have numbers')} that the server knows otherwise: ${this.#collisions.join('; ')}. Pass --renumber: the server then gives them numbers of its own, and this home keeps its own for its lists and notes. Nothing was sent.`,
    );
  }

  /** The county's blocks: runs of ids. */
  blocks(): IdBlock[] {
    const own = this.#blocks.filter(({ fips }) => fips === this.#fips);
    const ranges = [
      ...own.map(({ first_id: first, last_id: end }) => [first, end] as const),
      ...[...this.#claimed, ...this.#given].map((id) => [id, id] as const),
    ].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const merged: { first_id: number; last_id: number; fips: string }[] = [];
    for (const [first, end] of ranges) {
      const before = merged.at(-1);
      if (before && first <= before.last_id + 1) before.last_id = Math.max(before.last_id, end);
      else merged.push({ first_id: first, last_id: end, fips: this.#fips });
    }
    return merged;
  }
}

/** Numbers that distinguish parcels of one APN. */
class SequenceGiver {
  readonly #taken = new Map<string, { readonly all: Set<number>; last: number }>();

  constructor(server: readonly RegistryRow[]) {
    for (const row of server) this.#take(row, row.sequence);
  }

  isTaken(row: RegistryRow): boolean {
    return this.#taken.get(keyOf(row))?.all.has(row.sequence) === true;
  }

  sequenceOf(row: RegistryRow): number {
    const sequence = this.isTaken(row) ? (this.#taken.get(keyOf(row))?.last ?? 0) + 1 : row.sequence;
    this.#take(row, sequence);
    return sequence;
  }

  #take(row: RegistryRow, sequence: number): void {
    const key = keyOf(row);
    const taken = this.#taken.get(key) ?? { all: new Set(), last: 0 };
    taken.all.add(sequence);
    taken.last = Math.max(taken.last, sequence);
    this.#taken.set(key, taken);
  }
}
