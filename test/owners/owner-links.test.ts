/** Which owners join by themselves, which are proposed, and what the user's verdicts do. */
import { describe, expect, test } from 'vitest';
import { identityOf, type OwnerIdentity, type RecordedOwner } from '../../engine/owners/owner-identity.ts';
import { linkOwners, type Verdict } from '../../engine/owners/owner-links.ts';
import { makeOwners } from './made-owners.ts';

const box = 'PO BOX 88||00141';

function ownersOf(recorded: readonly (readonly [name: string, mailing?: string | null])[]): OwnerIdentity[] {
  return recorded.map(([owner_name, mailing_key = box]) => {
    const found = identityOf({ owner_name, owner_type: null, mailing_key } as RecordedOwner);
    if (!found) throw new Error(`${owner_name} is unknown`);
    return found;
  });
}

const statesOf = (names: readonly (readonly [string, (string | null)?])[], verdicts: readonly Verdict[] = []) =>
  linkOwners(ownersOf(names), verdicts).links.map(({ state }) => state);

const verdict = ([a, b]: readonly [OwnerIdentity, OwnerIdentity], said: Verdict['verdict']): Verdict => ({
  a_key: a.key,
  b_key: b.key,
  verdict: said,
});

test('an unknown owner has no identity; care-of, accents and tenancies are no part of it', () => {
  const keyOf = (owner_name: string | null) =>
    identityOf({ owner_name, owner_type: null, mailing_key: box })?.key ?? null;
  expect([keyOf(null), keyOf('UNKNOWN'), keyOf('123')]).toEqual([null, null, null]);
  expect(keyOf('Muñoz Ana, C/O A Bank')).toBe(keyOf('MUNOZ ANA ET UX'));
});

describe('pairs', () => {
  test.each([
    ['a legal form written out', 'KILNSIDE FARMS INC', 'KILNSIDE FARMS INCORPORATED', 'automatic'],
    ['a second owner', 'OAKES PETER', 'OAKES PETER & RUTH', 'automatic'],
    ['a name of the same trade mark', 'KILNSIDE FARMS INC', 'KILNSIDE INVESTMENTS LP', 'proposed'],
    ['two legal forms', 'KILNSIDE FARMS INC', 'KILNSIDE FARMS LP', 'proposed'],
    ['a person and her trust', 'OAKES RUTH', 'OAKES RUTH TRUST', 'proposed'],
    ['a couple the other way round', 'OAKES PETER & RUTH', 'OAKES RUTH & PETER', 'proposed'],
    ['one space and no S', 'KILN SIDE FARM', 'KILNSIDE FARMS', 'proposed'],
    ['two given names', 'OAKES PETER', 'OAKES RUTH', undefined],
    ['father and son', 'OAKES PETER', 'OAKES PETER JR', undefined],
    ['two initials', 'OAKES PETER A', 'OAKES PETER B', undefined],
    ['a government and a company', 'CITY OF KILNSIDE', 'KILNSIDE INC', undefined],
    ['nothing but the address', 'KILNSIDE FARMS INC', 'OAKES PETER', undefined],
  ])('%s at one address', (_what, one, other, state) => {
    expect(statesOf([[one], [other]])[0]).toBe(state);
  });

  test('namesakes at two addresses are proposed, never joined', () => {
    expect(statesOf([['OAKES PETER'], ['OAKES PETER', '1 ELM ST||00141']])).toEqual(['proposed']);
    // 6 + 6 for two rare words, less 2.5 for the other ZIP: below 12
    expect(statesOf([['OAKES PETER'], ['OAKES PETER', '1 ELM ST||00142']])).toEqual([]);
  });

  test('a crowd at the address counts less: 7 − log2(8 / 2) = 5', () => {
    const others = ['ASHBY', 'BIRCH', 'CEDAR', 'DOGWOOD', 'ELDER', 'FIR'].map((name) => [`${name} ANNA`] as const);
    const { links } = linkOwners(ownersOf([['KILNSIDE FARMS'], ['KILNSIDE FARMS INC'], ...others]));
    expect(links.map(({ score, state }) => [score, state])).toEqual([[17, 'automatic']]);
    expect(links[0]?.reasons).toContainEqual({ points: 5, text: 'same mailing address, with 8 names there' });
  });
});

describe('verdicts', () => {
  const [inc, written, kiln] = ownersOf([
    ['KILNSIDE FARMS INC'],
    ['KILNSIDE FARMS INCORPORATED'],
    ['KILN SIDE FARM', '9 ELM ST||00142'],
  ]) as [OwnerIdentity, OwnerIdentity, OwnerIdentity];
  const groups = (verdicts: readonly Verdict[]) => [...linkOwners([inc, written, kiln], verdicts).groupOf];

  test('same joins whatever the score, and carries the group along', () => {
    expect(groups([])).toEqual([0, 0, 2]);
    expect(groups([verdict([kiln, written], 'same')])).toEqual([0, 0, 0]);
  });

  test('different parts an automatic join, and wins over same by a third', () => {
    expect(groups([verdict([inc, written], 'different')])).toEqual([0, 1, 2]);
    const both = [verdict([inc, written], 'different'), verdict([inc, kiln], 'same'), verdict([written, kiln], 'same')];
    const [first, second] = groups(both);
    expect(first).not.toBe(second);
  });

  test('shares a person is a relation: no join, and no proposal any more', () => {
    expect(groups([verdict([inc, written], 'shares')])).toEqual([0, 1, 2]);
    expect(linkOwners([inc, written], [verdict([inc, written], 'shares')]).links[0]?.state).toBe('shares');
  });

  test('a verdict over owners that are gone says nothing', () => {
    expect(linkOwners([inc], [verdict([inc, written], 'same')]).links).toEqual([]);
  });
});

describe.each([1, 2, 3])('generated owners, seed %i', (seed) => {
  const { rows, respelled } = makeOwners(seed, 3000);
  const found = rows.map((row) => identityOf(row));
  const places = new Map<string, number>();
  const identities = found.flatMap((one) => {
    if (!one || places.has(one.key)) return [];
    places.set(one.key, places.size);
    return [one];
  });
  const { groupOf } = linkOwners(identities);
  const groupAt = (row: number) => groupOf[places.get(found[row]?.key ?? '') ?? -1];

  test('no strangers are joined, and none by the address alone', () => {
    const owners = new Map<number, Set<number>>();
    for (const [at, { owner }] of rows.entries()) {
      const group = groupAt(at) as number;
      owners.set(group, (owners.get(group) ?? new Set()).add(owner));
    }
    expect([...owners.values()].filter((set) => set.size > 1)).toEqual([]);
    for (const [at, group] of groupOf.entries()) {
      const [one, first] = [identities[at] as OwnerIdentity, identities[group] as OwnerIdentity];
      expect(one === first || one.words.some((word) => first.words.includes(word))).toBe(true);
    }
  });

  test('respellings at one address are found', () => {
    const right = respelled.filter(([one, other]) => groupAt(one) === groupAt(other));
    expect(respelled.length).toBeGreaterThan(500);
    expect(right.length / respelled.length).toBeGreaterThanOrEqual(0.95);
  });
});
