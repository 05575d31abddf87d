/** A person who asks to be deleted: gone from every file of the home, to the byte, and kept away. All are invented. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { backupHome } from '../../engine/backup/backup-home.ts';
import { finishRestore, prepareRestore, restoreHome } from '../../engine/backup/restore-home.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { personOf } from '../../engine/operations/skip-trace-owner.ts';
import { runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { keepTrace, personSubject } from '../../engine/work/store-traces.ts';
import { emptyHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';

const noon = new Date('2026-11-20T12:00:00.000Z');

const list = `first,middle,last,suffix,street,city,state,zip,phone 1,phone 2
ZEBULON,,QUILLFEATHER,,9 Mothwing Court,Dayton,OH,45402,9375550117,9375550118
ZEB,,QUILLFEATHER,JR,1 Other Street,Dayton,OH,45402,9375550119,
WINIFRED,,QUILLFEATHER,,9 Mothwing Court,Dayton,OH,45402,9375550118,9375550150
ZEBULON,,QUILLFEATHER,,4 Far Road,Toledo,OH,43604,4195550117,
ANA,,FERREIRA,,31 Larkspur Court,Dayton,OH,45402,9375550160,
`;

const zebulon = { firstName: 'Zebulon', lastName: 'Quillfeather', suffix: 'SR', zip: '45402' };
const asked = { first_name: 'Zebulon', last_name: 'Quillfeather', zip: '45402' };

function openUntilEnd(home: string): Engine {
  const engine = openEngine({ home, keepsIndexes: false, now: () => noon });
  onTestFinished(() => engine.close());
  return engine;
}

async function importList(engine: Engine, text = list, source = 'a list'): Promise<Record<string, unknown>> {
  const file = path.join(emptyHome(), 'list.csv');
  fs.writeFileSync(file, text);
  return (await engine.jobs.run('import_contacts', { file, source })) as Record<string, unknown>;
}

/** Skip trace as in the app: results are stored. */
async function trace(engine: Engine, input: { first_name: string; last_name: string; zip: string }) {
  const { data } = await engine.call('skip_trace_owner', input);
  keepTrace(engine.people, personSubject(input), {
    asked: personOf(input),
    result: data,
    traced_at: noon.toISOString(),
  });
  return data.phones.map(({ number }) => number);
}

async function filledHome(): Promise<Engine> {
  const engine = openUntilEnd(emptyHome());
  await runChange(engine, 'set_plan', { tier: 'scale' }).catch(() => {});
  await importList(engine);
  return engine;
}

/** Files of the home that contain one of the texts: databases, logs, exports. */
const holding = (home: string, ...texts: string[]): string[] =>
  fs
    .readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(home, name)).isFile())
    .filter((name) => {
      const bytes = fs.readFileSync(path.join(home, name));
      return texts.some((text) => bytes.includes(text) || bytes.includes(text.toLowerCase()));
    })
    .sort();

const names = ({ people }: Engine): string[] =>
  people.file.column<string>("SELECT first_name || ' ' || last_name || ' ' || zip FROM contacts").sort();

const phonesOf = ({ people }: Engine, firstName: string): string[] =>
  people.file.column<string>(
    'SELECT number FROM contacts JOIN contact_phones USING (contact_id) WHERE first_name = ? ORDER BY number',
    firstName,
  );

describe('a deleted person', () => {
  test('is in no file of the home any more, log and kept traces included', async () => {
    const engine = openUntilEnd(emptyHome());
    await importList(engine, list.split('\n').slice(0, 2).join('\n'));
    expect(await trace(engine, asked)).toEqual(['9375550117', '9375550118']);
    const marks = ['ZEBULON', 'Zebulon', 'QUILLFEATHER', 'Quillfeather', 'Mothwing', '9375550117', '9375550118'];
    expect(holding(engine.home, ...marks)).not.toEqual([]);
    const deleted = await engine.deleteContact({ person: zebulon });
    expect(deleted).toMatchObject({ records: 1, numbers: 2, other_records: 0, traces: 1, copies: [] });
    expect(deleted.still_held).toEqual([
      expect.stringMatching(/^Backups and exports that were saved before/),
      expect.stringMatching(/^Owner names and addresses of the public record/),
    ]);
    expect(holding(engine.home, ...marks)).toEqual([]);
    expect(await trace(engine, asked)).toEqual([]);
  });

  test('leaves no byte in a file whose older version did not overwrite what it deleted', async () => {
    const engine = openUntilEnd(emptyHome());
    engine.people.file.pragma('secure_delete = OFF');
    const insert =
      "INSERT INTO contacts (source, first_name, last_name, last_key, zip, zip_key) VALUES ('x', ?, ?, ?, ?, ?)";
    for (let at = 0; at < 300; at++)
      engine.people.file.run(insert, 'ZEBULON', 'QUILLFEATHER', 'QUILLFEATHER', '45402', '45402');
    engine.people.file.run('DELETE FROM contacts WHERE contact_id < 300');
    engine.people.file.checkpoint();
    expect(holding(engine.home, 'QUILLFEATHER')).toEqual(['people.sqlite']);
    await engine.deleteContact({ person: zebulon });
    expect(holding(engine.home, 'QUILLFEATHER')).toEqual([]);
  });

  test('takes the own numbers out of the records of others; other people of the name stay', async () => {
    const engine = await filledHome();
    const deleted = await engine.deleteContact({ person: zebulon });
    expect(deleted).toMatchObject({ records: 1, numbers: 2, other_records: 1 });
    expect(names(engine)).toEqual([
      'ANA FERREIRA 45402',
      'WINIFRED QUILLFEATHER 45402',
      'ZEB QUILLFEATHER 45402',
      'ZEBULON QUILLFEATHER 43604',
    ]);
    expect(phonesOf(engine, 'WINIFRED')).toEqual(['9375550150']);
    expect(holding(engine.home, '9375550117', '9375550118')).toEqual([]);
  });

  test('by number: everyone who has it, in each record that a trace for them would find', async () => {
    const engine = await filledHome();
    // Zebulon and Winifred, and Zeb: a trace for a Zebulon of whom no JR or SR is known finds him too.
    expect(await engine.deleteContact({ phone: '(937) 555-0118' })).toMatchObject({ records: 3, numbers: 3 });
    expect(names(engine)).not.toContain('WINIFRED QUILLFEATHER 45402');
    expect(holding(engine.home, '9375550118', '9375550150')).toEqual([]);
  });

  test('is gone from a trace of another person that found one of the numbers', async () => {
    const engine = await filledHome();
    const wife = { first_name: 'Winifred', last_name: 'Quillfeather', zip: '45402' };
    expect(await trace(engine, wife)).toEqual(['9375550118', '9375550150']);
    await engine.deleteContact({ person: zebulon });
    const { trace: kept } = runRead(engine, 'stored_trace', { person: wife }) as {
      trace: { result: { phones: { number: string }[] } };
    };
    expect(kept.result.phones.map(({ number }) => number)).toEqual(['9375550150']);
  });

  test('with the exports that wait to be saved, and the files that a restore replaced', async () => {
    const engine = await filledHome();
    const { home } = engine;
    const backup = path.join(emptyHome(), 'b.zip');
    await backupHome(home, backup, { onlyMyWork: false, now: noon });
    engine.close();
    await restoreHome(home, backup, { onlyMyWork: false, now: noon });
    const again = openUntilEnd(home);
    await runRead(again, 'make_backup', {});
    expect(fs.readdirSync(path.join(home, 'exports'))).toHaveLength(1);
    const kept = fs.readdirSync(home).find((name) => name.startsWith('before-restore-')) ?? '';
    const deleted = await again.deleteContact({ person: zebulon });
    expect(deleted.copies).toEqual([kept]);
    expect(fs.readdirSync(path.join(home, 'exports'))).toEqual([]);
    expect(holding(home, '9375550117', '9375550118')).toEqual([]);
  });

  test('what cannot be opened is named as holding the person still', async () => {
    const engine = await filledHome();
    const older = path.join(engine.home, 'before-restore-20261101-120000');
    fs.mkdirSync(older);
    fs.writeFileSync(path.join(older, 'people.sqlite'), 'no database');
    const { copies, still_held: held } = await engine.deleteContact({ person: zebulon });
    expect(copies).toEqual([]);
    expect(held[0]).toMatch(/^before-restore-20261101-120000\/people\.sqlite still holds the person: .*not a database/);
  });
});

describe('the opt-out list', () => {
  test('keeps the person and the numbers out of later lists, and counts them', async () => {
    const engine = await filledHome();
    await engine.deleteContact({ person: zebulon });
    expect(await importList(engine, list, 'another list')).toMatchObject({
      new: 4,
      persons_opted_out: 1,
      phones_opted_out: 1,
    });
    expect(names(engine).filter((name) => name === 'ZEBULON QUILLFEATHER 45402')).toEqual([]);
    // By a short form, in other capitals, with ZIP+4: a trace would have found this one.
    const variant = 'first,last,zip,phone\nzeb,Quillfeather,45402-1234,9375550170\n';
    expect(await importList(engine, variant, 'third')).toMatchObject({ new: 0, persons_opted_out: 1 });
    expect(holding(engine.home, '9375550170')).toEqual([]);
  });

  test('keeps a record that came in by another way from being found, and costs nothing', async () => {
    const engine = await filledHome();
    await engine.deleteContact({ person: zebulon });
    engine.people.file.run(
      "INSERT INTO contacts (contact_id, source, first_name, last_name, last_key, zip, zip_key) VALUES (900, 'x', 'ZEBULON', 'QUILLFEATHER', 'QUILLFEATHER', '45402', '45402')",
    );
    engine.people.file.run("INSERT INTO contact_phones (contact_id, position, number) VALUES (900, 0, '9375550171')");
    const { data, tokens } = await engine.call('skip_trace_owner', asked);
    expect(data).toEqual({ matched: false, first_name: null, last_name: null, phones: [] });
    expect(tokens).toBe(0);
  });

  test('holds no text of the person: hashes, and the name sealed', async () => {
    const engine = await filledHome();
    await engine.deleteContact({ person: { firstName: 'Ana', lastName: 'Ferreira', zip: '45402' } });
    const rows = engine.people.file.all<Record<string, unknown>>('SELECT * FROM opt_outs');
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['person', 'phone']));
    expect(JSON.stringify(rows)).not.toMatch(/ana|ferreira|45402|9375550160/i);
    expect(holding(engine.home, 'FERREIRA', 'Ferreira', 'Larkspur', '9375550160')).toEqual([]);
  });

  test('goes along with a restore: a backup of before does not bring the person back', async () => {
    const engine = await filledHome();
    const backup = path.join(emptyHome(), 'b.zip');
    await backupHome(engine.home, backup, { onlyMyWork: false, now: noon });
    await engine.deleteContact({ person: zebulon });
    engine.close();
    await restoreHome(engine.home, backup, { onlyMyWork: false, now: noon });
    const again = openUntilEnd(engine.home);
    expect(names(again)).not.toContain('ZEBULON QUILLFEATHER 45402');
    expect(names(again)).toContain('ANA FERREIRA 45402');
    expect(phonesOf(again, 'WINIFRED')).toEqual(['9375550150']);
    expect(holding(again.home, '9375550117')).toEqual([]);
  });

  test('takes the person out of a restore that waits, too', async () => {
    const engine = await filledHome();
    const backup = path.join(emptyHome(), 'b.zip');
    await backupHome(engine.home, backup, { onlyMyWork: false, now: noon });
    await prepareRestore(engine.home, backup, { onlyMyWork: false, now: noon });
    const { copies } = await engine.deleteContact({ person: zebulon });
    expect(copies).toEqual([expect.stringMatching(/^restore-.*\.tmp$/)]);
    engine.close();
    finishRestore(engine.home);
    expect(names(openUntilEnd(engine.home))).not.toContain('ZEBULON QUILLFEATHER 45402');
  });

  test('lets a person in again, with the numbers, when that is asked', async () => {
    const engine = await filledHome();
    await engine.deleteContact({ person: zebulon });
    expect(engine.allowContact({ person: { firstName: 'Ana', lastName: 'Ferreira', zip: '45402' } })).toBe(0);
    expect(engine.allowContact({ person: zebulon })).toBeGreaterThan(2);
    expect(await importList(engine)).toMatchObject({ new: 1, persons_opted_out: 0, phones_opted_out: 0 });
    expect(await trace(engine, asked)).toContain('9375550117');
  });
});

describe('platbook contacts', () => {
  const who = ['--first-name', 'Zebulon', '--last-name', 'Quillfeather', '--zip', '45402'];

  test('deletes once it is said that it cannot be undone, and says what holds the person still', async () => {
    const engine = await filledHome();
    engine.close();
    expect(await platbook(engine.home, 'contacts', 'delete', ...who)).toMatchObject({
      code: expect.any(Number),
      err: expect.stringMatching(/Expected --yes: a deleted person cannot be brought back/),
    });
    const { code, out } = await platbook(engine.home, 'contacts', 'delete', ...who, '--yes');
    expect(code).toBe(0);
    expect(out).toMatch(/^Deleted 2 contact records and 0 kept traces; 3 numbers are on the opt-out list/);
    expect(out).toMatch(/Backups and exports that were saved before/);
    expect(holding(engine.home, '9375550117')).toEqual([]);
    expect((await platbook(engine.home, 'contacts', 'allow', ...who)).out).toMatch(/^Taken off: \d+ entries\.$/);
  });

  test.each([
    [['--yes'], /expected a person with a place, or a phone/],
    [['--phone', '12', '--yes'], /phone: "12"/],
    [['--first-name', 'A', '--last-name', 'B', '--yes'], /expected a ZIP, or city and state/],
    [['--last-name', 'B', '--zip', '45402', '--yes'], /firstName: expected a name/],
  ])('%j is refused in words', async (args, words) => {
    const engine = openUntilEnd(emptyHome());
    expect(await platbook(engine.home, 'contacts', 'delete', ...args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(words),
    });
  });
});
