/** Skip trace on real homes: the two operations, their limit, and what never matches. */

import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { refuseWhenFull, take } from '../../engine/account/trace-limit.ts';
import type { Contact } from '../../engine/contacts/match-contact.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { insertContact } from '../../engine/importing/lists/contact-writer.ts';
import { atOnce } from '../../engine/land/answered.ts';
import { LocalLand } from '../../engine/land/local-land.ts';
import type { OperationContext } from '../../engine/operations/operation.ts';
import { type SkipTraceInput, skipTraceOwner } from '../../engine/operations/skip-trace-owner.ts';
import { skipTracePropertyOwner } from '../../engine/operations/skip-trace-property-owner.ts';
import { findContact } from '../../engine/query/contact-query.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { findProblems } from '../../engine/spec/validate.ts';
import { openAccountStore } from '../../engine/store/account-store.ts';
import { openPeopleStore, type PeopleStore } from '../../engine/store/people-store.ts';
import { openFixtureHome } from '../support/fixture-home.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { measured } from '../support/runs.ts';

const contextOf = ({ land, people, account, now }: Engine): OperationContext => ({
  land: new LocalLand(land),
  people,
  account,
  now,
  pageLink: (page) => `?page=${page}`,
});

const contact = (more: Partial<Contact> = {}): Contact => ({
  firstName: 'Ellen',
  middleName: null,
  lastName: 'Marsh',
  suffix: null,
  address: '1 Main St',
  city: 'Wrenfield',
  state: 'ZZ',
  zip: '00142',
  phones: [
    { number: '6035550101', lineType: 'Mobile', dnc: null },
    { number: '6035550102', lineType: null, dnc: true },
  ],
  ...more,
});

/** The fixture's parcels with owners at an address, and one contact. */
function fixture(...contacts: Partial<Contact>[]): { engine: Engine; context: OperationContext } {
  const { engine, close } = openFixtureHome();
  onTestFinished(close);
  const { file } = engine.land;
  file.run("UPDATE parcels SET mailing_city = 'WRENFIELD', mailing_state = 'ZZ', mailing_zip = '00142-0007'");
  for (const each of contacts) insertContact(engine.people.file, 'list', contact(each), null);
  return { engine, context: contextOf(engine) };
}

function own(engine: Engine, id: number, change: Record<string, string | null>): void {
  const sets = Object.keys(change).map((column) => `${column} = ?`);
  engine.land.file.run(`UPDATE parcels SET ${sets.join(', ')} WHERE property_id = ?`, ...Object.values(change), id);
}

function refusalOf(work: () => unknown): EngineError {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const unmatched = { matched: false, first_name: null, last_name: null, phones: [] };
const ellen = {
  matched: true,
  first_name: 'Ellen',
  last_name: 'Marsh',
  phones: [
    { number: '6035550101', line_type: 'Mobile', dnc: null },
    { number: '6035550102', line_type: null, dnc: true },
  ],
};

describe('by name and place', () => {
  const trace = (input: SkipTraceInput, { context } = fixture({})) => atOnce(skipTraceOwner.run(input, context));

  test('a match has exactly these fields, with dnc null where nothing is known', () => {
    const result = trace({ first_name: 'ELLEN', last_name: 'marsh', zip: '00142' });
    expect(result).toStrictEqual(ellen);
    expect(skipTraceOwner.price(result)).toBe(20);
  });

  test('no match has null names, no phones, and is free', () => {
    const result = trace({ first_name: 'Ruth', last_name: 'Marsh', zip: '00142' });
    expect(result).toStrictEqual(unmatched);
    expect(skipTraceOwner.price(result)).toBe(0);
    expect(skipTraceOwner.quote({ first_name: 'Ruth', last_name: 'Marsh', zip: '00142' })).toBe(20);
  });

  test('the place is a ZIP, also as a number, or a city and state', () => {
    const name = { first_name: 'Ellen', last_name: 'Marsh' };
    expect(trace({ ...name, zip: 142 }).matched).toBe(true);
    expect(trace({ ...name, zip: '00142-0007' }).matched).toBe(true);
    expect(trace({ ...name, zip: '001420007' }).matched).toBe(true);
    expect(trace({ ...name, city: 'wrenfield', state: 'zz' }).matched).toBe(true);
    expect(trace({ ...name, city: 'wrenfield', state: 'zz', zip: '00143' }).matched).toBe(false);
    expect(trace({ ...name, zip: '00143' }).matched).toBe(false);
  });

  test.each<[Partial<SkipTraceInput>, string]>([
    [{}, 'non_field_errors'],
    [{ city: 'Wrenfield' }, 'state'],
    [{ state: 'ZZ' }, 'city'],
    [{ address: '1 Main St' }, 'non_field_errors'],
    [{ zip: '00142', last_name: "-'" }, 'last_name'],
  ])('%j is refused under %s', (input, field) => {
    const refusal = refusalOf(() => trace({ first_name: 'Ellen', last_name: 'Marsh', ...input }));
    expect(refusal.code).toBe('validation_error');
    expect(Object.keys(refusal.details ?? {})).toEqual([field]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ first_name: '' }, 'first_name'],
    [{ last_name: ' ' }, 'last_name'],
    [{ zip: '142' }, 'zip'],
    [{ zip: '00142-007' }, 'zip'],
    [{ zip: '00142 0007' }, 'zip'],
    [{ state: 'ZZZ' }, 'state'],
    [{ phone: '6035550101' }, 'phone'],
  ])('the schema refuses %j', (input, field) => {
    const given = { first_name: 'Ellen', last_name: 'Marsh', zip: '00142', ...input };
    expect(Object.keys(findProblems(skipTraceOwner.input, given) ?? {})).toEqual([field]);
  });

  test('first and last name are required', () => {
    expect(Object.keys(findProblems(skipTraceOwner.input, { zip: '00142' }) ?? {})).toEqual([
      'first_name',
      'last_name',
    ]);
  });
});

describe('by parcel', () => {
  const trace = (id: number, context: OperationContext) => atOnce(skipTracePropertyOwner.run({ id }, context));

  test('the first owner is traced, at the mailing address of the record', () => {
    const { engine, context } = fixture({});
    own(engine, 1, { owner_name: 'MARSH ELLEN & JOHN', owner_type: 'individual' });
    const result = trace(1, context);
    expect(result).toStrictEqual(ellen);
    expect(skipTracePropertyOwner.price(result)).toBe(20);
    own(engine, 1, { owner_name: 'MARSH JOHN & ELLEN' });
    expect(trace(1, context)).toStrictEqual(unmatched);
    expect(skipTracePropertyOwner.price(unmatched)).toBe(0);
  });

  test('the street of the record chooses among contacts of the name', () => {
    const { engine, context } = fixture(
      { address: '7 Oak Ave', phones: [{ number: '6035550107', lineType: null, dnc: null }] },
      { address: '1 MAIN STREET' },
    );
    own(engine, 1, { owner_name: 'MARSH ELLEN', mailing_address: '1 Main St.' });
    expect(trace(1, context).phones.map(({ number }) => number)).toEqual(['6035550101', '6035550102', '6035550107']);
  });

  test.each([
    ['MARSH FARM LLC', 'company', /a company \(MARSH FARM LLC\)/],
    ['MARSH FARM LLC', null, /a company/],
    ['MARSH ELLEN', 'company', /a company/],
    ['MARSH, ELLEN TRUSTEE', 'trust', /a trust \(MARSH, ELLEN TRUSTEE\); only individual owners can be traced/],
    ['MARSH FAMILY TRUST', 'trust', /a trust/],
    ['TOWN OF WRENFIELD', 'government', /a public body/],
    ['OAK HOMEOWNERS ASSOCIATION', 'hoa', /an owners' association/],
    ['MARSH', 'individual', /no first and last name/],
    ['UNKNOWN OWNER', null, /no first and last name/],
    ['', null, /has no owner name on record/],
    [null, null, /has no owner name on record/],
  ])('the owner %j (%s) is refused with what was found', (owner_name, owner_type, sentence) => {
    const { engine, context } = fixture({});
    own(engine, 1, { owner_name, owner_type });
    const refusal = refusalOf(() => trace(1, context));
    expect(refusal).toMatchObject({ code: 'validation_error', details: { id: [expect.stringMatching(sentence)] } });
  });

  test.each([
    [{ mailing_address: null, mailing_city: null, mailing_state: null, mailing_zip: null }, /no mailing address/],
    [{ mailing_city: null, mailing_state: null, mailing_zip: null }, /only "1 MAIN ST"/],
    [{ mailing_state: null, mailing_zip: null }, /only "1 MAIN ST, WRENFIELD"/],
    [{ mailing_state: null, mailing_zip: '0000' }, /needs the mailing ZIP/],
  ])('too little address (%j) is refused', (change, sentence) => {
    const { engine, context } = fixture({});
    own(engine, 1, { owner_name: 'MARSH ELLEN', owner_type: 'individual', mailing_address: '1 MAIN ST', ...change });
    const refusal = refusalOf(() => trace(1, context));
    expect(refusal).toMatchObject({ code: 'validation_error', details: { id: [expect.stringMatching(sentence)] } });
  });

  test('city and state stand in for the ZIP', () => {
    const { engine, context } = fixture({});
    own(engine, 1, { owner_name: 'MARSH ELLEN', owner_type: 'individual', mailing_zip: null });
    expect(trace(1, context).matched).toBe(true);
  });

  test('an unknown parcel is not found', () => {
    expect(refusalOf(() => trace(999, fixture({}).context)).code).toBe('not_found');
  });
});

describe('the sample county', () => {
  test('answers the examples of the docs as their titles say', () => {
    const context = contextOf(engineOn(sampleHome()));
    const owners = skipTraceOwner.examples.map(({ input }) => atOnce(skipTraceOwner.run(input, context)));
    expect(owners.map(({ first_name }) => first_name)).toEqual(
      ['William', 'Margaret', null].map((name) => name && expect.stringMatching(new RegExp(name, 'i'))),
    );
    const parcels = skipTracePropertyOwner.examples.map(({ input }) =>
      atOnce(skipTracePropertyOwner.run(input, context)),
    );
    expect(parcels.map(({ matched }) => matched)).toEqual([true, false]);
    for (const result of [...owners, ...parcels])
      expect(findProblems(skipTraceOwner.output as never, result)).toBeNull();
  });

  test('records written before there were keys are found too', () => {
    const people = openPeopleStore(emptyHome());
    onTestFinished(() => people.close());
    insertContact(people.file, 'list', contact(), null);
    people.file.run('UPDATE contacts SET last_key = NULL, zip_key = NULL, town_key = NULL');
    expect(findContact(people, { firstName: 'Ellen', lastName: 'Marsh', zip: '00142' })?.phones).toHaveLength(2);
    expect(findContact(people, { firstName: 'Ellen', lastName: 'Marsh', zip: '00143' })).toBeNull();
  });
});

/** Unlike any other: three syllables for each number. */
const syllables = ['BRA', 'KEL', 'MOR', 'TIN', 'DOL', 'FEN', 'GAR', 'HUL', 'JAS', 'LOM'];
const surnameOf = (n: number): string =>
  [n % 10, Math.floor(n / 10) % 10, Math.floor(n / 100)].map((at) => syllables[at]).join('');

describe('near misses', () => {
  /** A first name, one that looks or sounds like it but is another, and the short form of yet another. */
  const firsts = [
    ['JOHN', 'JOAN', 'JIM'],
    ['MARIA', 'MARIE', 'MOLLY'],
    ['ERIC', 'ERIN', 'RICK'],
    ['PAUL', 'PAULA', 'PAT'],
    ['WILLIAM', 'WILMA', 'BOB'],
    ['ROBERT', 'ROBIN', 'BILL'],
    ['JEAN', 'JEANNE', 'GENE'],
    ['CARL', 'CARLA', 'CHUCK'],
    ['DANIEL', 'DANIELA', 'DON'],
    ['STEPHEN', 'STEFANO', 'STAN'],
  ] as const;

  const missesOf = (n: number): Contact[] => {
    const [first, like, otherShort] = firsts[n % 10] ?? firsts[0];
    const lastName = surnameOf(n);
    const person = contact({ firstName: first, lastName, middleName: 'A', suffix: 'JR', address: `${n + 1} Main St` });
    return [
      { ...person, firstName: like },
      { ...person, firstName: otherShort },
      { ...person, firstName: first[0] ?? '' },
      { ...person, zip: '00143' },
      { ...person, zip: null, city: 'Harrowgate' },
      { ...person, zip: null, state: 'YY' },
      { ...person, lastName: `${lastName}Q` },
      { ...person, middleName: 'B' },
      { ...person, suffix: 'SR' },
      { ...person, firstName: lastName, lastName: first },
    ];
  };

  const people = (): PeopleStore => {
    const store = openPeopleStore(emptyHome());
    onTestFinished(() => store.close());
    return store;
  };

  test('10,000 of them match no one, and the thousand true records do', () => {
    const store = people();
    const everyone = Array.from({ length: 1000 }, (_, n) => n);
    const misses = everyone.flatMap(missesOf);
    expect(misses).toHaveLength(10_000);
    store.file.transaction(() => {
      for (const miss of misses) insertContact(store.file, 'misses', miss, null);
    });
    const find = (n: number) =>
      findContact(store, {
        firstName: firsts[n % 10]?.[0] ?? '',
        middleName: 'A',
        lastName: surnameOf(n),
        suffix: 'JR',
        address: `${n + 1} Main St`,
        city: 'Wrenfield',
        state: 'ZZ',
        zip: '00142',
      });
    expect(everyone.filter((n) => find(n) !== null)).toEqual([]);
    store.file.transaction(() => {
      for (const n of everyone) {
        const record = contact({ firstName: firsts[n % 10]?.[0] ?? '', lastName: surnameOf(n) });
        insertContact(store.file, 'true', record, null);
      }
    });
    expect(everyone.filter((n) => find(n) === null)).toEqual([]);
  });
});

describe('the limit', () => {
  const start = Date.parse('2026-08-01T12:00:00.000Z');
  const at = (milliseconds: number) => () => new Date(start + milliseconds);

  const account = (home = emptyHome()) => {
    const store = openAccountStore(home);
    onTestFinished(() => store.close());
    return store;
  };

  function expectFull(work: () => void, seconds: number): void {
    const refusal = refusalOf(work);
    expect(refusal.code).toBe('rate_limited');
    expect(refusal.retryAfterSeconds).toBe(seconds);
    expect(refusal.message).toContain(`try again in ${seconds} s`);
  }

  test('lets 20 through in a minute and no 21st, and says when the next one fits', () => {
    const store = account();
    for (let n = 0; n < 20; n++) {
      refuseWhenFull(store, at(n * 1000));
      take(store, at(n * 1000));
    }
    expectFull(() => take(store, at(19_500)), 41);
    expectFull(() => refuseWhenFull(store, at(59_999)), 1);
    // The window is half open: the first one has left it after exactly a minute.
    refuseWhenFull(store, at(60_000));
    take(store, at(60_000));
    expectFull(() => take(store, at(60_500)), 1);
    take(store, at(61_000));
  });

  test('a refusal takes nothing, and looking takes nothing', () => {
    const store = account();
    for (let n = 0; n < 50; n++) refuseWhenFull(store, at(0));
    for (let n = 0; n < 20; n++) take(store, at(0));
    for (let n = 0; n < 50; n++) expectFull(() => take(store, at(30_000)), 30);
    take(store, at(60_000));
    expect(store.file.get('SELECT count(*) AS n FROM trace_calls')).toEqual({ n: 1 });
  });

  test('holds over both operations, other connections, and after reopening', () => {
    const home = emptyHome();
    const clock = { now: start };
    const now = () => new Date(clock.now);
    const open = () => openEngine({ home, now });
    /** Like the pipeline: take, then run, whatever the outcome. */
    const call = (engine: Engine, work: (context: OperationContext) => unknown) => {
      refuseWhenFull(engine.account, now);
      take(engine.account, now);
      try {
        return work(contextOf(engine));
      } catch (error) {
        if (error instanceof EngineError && error.code === 'not_found') return null;
        throw error;
      }
    };
    const byName = (context: OperationContext) =>
      atOnce(skipTraceOwner.run({ first_name: 'Ada', last_name: 'Nobodaddy', zip: '00142' }, context));
    const byParcel = (context: OperationContext) => atOnce(skipTracePropertyOwner.run({ id: 1 }, context));
    for (let n = 0; n < 20; n++) {
      const engine = open();
      const other = n % 3 === 0 ? open() : null;
      clock.now += 100;
      call(other ?? engine, n % 2 === 0 ? byName : byParcel);
      other?.close();
      engine.close();
    }
    const engine = open();
    onTestFinished(() => engine.close());
    expectFull(() => call(engine, byName), 59);
    expectFull(() => call(engine, byParcel), 59);
    clock.now += 59_000;
    expect(call(engine, byName)).toStrictEqual(unmatched);
  });

  test('holds for scripts, not for the window, whose traces take none of the 20', async () => {
    const engine = openEngine({ home: emptyHome(), now: () => new Date(start) });
    const input = { first_name: 'Ada', last_name: 'Nobodaddy', zip: '00142' };
    const trace = (mode: 'app' | 'script') => engine.call('skip_trace_owner', input, { mode });
    for (let n = 0; n < 25; n++) expect((await trace('app')).data.matched).toBe(false);
    for (let n = 0; n < 20; n++) await trace('script');
    await expect(trace('script')).rejects.toMatchObject({ code: 'rate_limited' });
    expect((await trace('app')).data.matched).toBe(false);
    engine.close();
  });

  test('two connections at once take 20 between them', () => {
    const home = emptyHome();
    const stores = [account(home), account(home)];
    const taken = Array.from({ length: 40 }, (_, n) => {
      try {
        take(stores[n % 2] ?? account(home), at(n));
        return 1;
      } catch {
        return 0;
      }
    });
    expect(taken.reduce<number>((sum, one) => sum + one, 0)).toBe(20);
  });

  /** A process takes one trace after the other until the limit refuses it; after `wanted` of them the test kills it. */
  function killedAfter(home: string, wanted: number): Promise<{ taken: number; refused: boolean }> {
    const engine = path.resolve(import.meta.dirname, '..', '..', 'engine');
    const code = `
      const { openAccountStore } = await import(${JSON.stringify(path.join(engine, 'store', 'account-store.ts'))});
      const { take } = await import(${JSON.stringify(path.join(engine, 'account', 'trace-limit.ts'))});
      const account = openAccountStore(${JSON.stringify(home)});
      const next = () => {
        try { take(account, () => new Date()); } catch (error) { return console.log(error.code); }
        process.stdout.write('taken\\n');
        process.stdin.once('data', next);
      };
      next();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let heard = '';
    child.stdout.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
      if (heard.includes('rate_limited')) child.stdin.end();
      else child.stdin.write('next');
      if (heard.split('taken').length > wanted) child.kill('SIGKILL');
    });
    // It is dead, or done.
    child.stdin.on('error', () => {});
    return new Promise((resolve) =>
      child.on('close', () =>
        resolve({ taken: heard.split('taken').length - 1, refused: heard.includes('rate_limited') }),
      ),
    );
  }

  test('outlives kill -9: what was let through before counts', async () => {
    const home = emptyHome();
    openAccountStore(home).close();
    const first = await killedAfter(home, 7);
    const second = await killedAfter(home, 7);
    const last = await killedAfter(home, 100);
    expect(first.refused || second.refused).toBe(false);
    expect(first.taken).toBeGreaterThanOrEqual(7);
    expect(last.refused).toBe(true);
    // A child may die between taking one and saying so: at most one each.
    const all = first.taken + second.taken + last.taken;
    expect(all).toBeLessThanOrEqual(20);
    expect(all).toBeGreaterThanOrEqual(18);
    measured(`${all} let through by three processes, two of them killed, then refused`);
  });

  test('a clock that was set back locks no one out for longer than two minutes', () => {
    const store = account();
    const day = 24 * 60 * 60 * 1000;
    for (let n = 0; n < 20; n++) take(store, at(day + n));
    // A day back: taken as made now, so a minute from here.
    expectFull(() => refuseWhenFull(store, at(0)), 60);
    expectFull(() => take(store, at(59_000)), 1);
    take(store, at(60_000));
    // A few seconds back: nothing is forgotten.
    const small = account();
    for (let n = 0; n < 20; n++) take(small, at(30_000));
    expectFull(() => take(small, at(0)), 90);
    take(small, at(90_000));
  });
});
