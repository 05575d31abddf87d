/** Homes with something in every file, and what they hold as text to be compared. */
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { homeFiles } from '../../engine/backup/home-files.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { openAccountStore } from '../../engine/store/account-store.ts';
import { runChange } from '../../engine/work/index.ts';
import { fillFixture } from '../support/fixture-home.ts';
import { emptyHome } from '../support/homes.ts';

export const noon = new Date('2026-11-20T12:00:00.000Z');

/** Fifty parcels, a starred one, a note, a list, a contact, a charge; closed. */
export async function workedHome(note = 'call again in spring'): Promise<string> {
  const home = emptyHome();
  const engine = openEngine({ home, keepsIndexes: false, now: () => noon });
  fillFixture(engine);
  registerParcels(engine);
  await runChange(engine, 'star', { ids: [3, 5] });
  await runChange(engine, 'add_note', { property_id: 3, text: note });
  await runChange(engine, 'make_list', { name: 'Letters', of: { ids: [7, 8, 9] } });
  engine.people.file.run("INSERT INTO contacts (source, first_name, last_name) VALUES ('test', 'ELLEN', 'MARSH')");
  await engine.call('get_property', { id: 1 });
  engine.close();
  fs.writeFileSync(path.join(home, 'aliases.json'), '{"filters":{"min_acres":"acres_min"}}', { mode: 0o600 });
  return home;
}

/** The fixture puts parcels in without an import, which would have registered them. */
export function registerParcels(engine: Engine): void {
  engine.land.file.run(
    `INSERT OR IGNORE INTO parcel_registry (property_id, fips, jurisdiction, apn, sequence)
     SELECT property_id, fips, '', apn, 1 FROM parcels`,
  );
}

/** Every row of every table of the three files. */
export function contentOf(home: string): Record<string, string> {
  return Object.fromEntries(
    homeFiles.map(({ name, open }) => {
      const opened = open(home);
      try {
        const tables = opened.file.column<string>(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%' ORDER BY name",
        );
        const rows = tables.map((table) => [table, opened.file.rawRows(`SELECT * FROM "${table}"`)]);
        return [name, JSON.stringify(rows)];
      } finally {
        opened.close();
      }
    }),
  );
}

export const noteOf = (home: string): string[] => {
  const account = openAccountStore(home);
  try {
    return account.file.column<string>('SELECT text FROM notes');
  } finally {
    account.close();
  }
};

/** The files of a folder with their bytes, to see that nothing was touched. */
export const bytesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => fs.statSync(path.join(folder, name)).isFile())
      .map((name) => [name, fs.readFileSync(path.join(folder, name)).toString('base64')]),
  );

export function openUntilEnd(home: string): Engine {
  const engine = openEngine({ home, create: true, keepsIndexes: false });
  onTestFinished(() => engine.close());
  return engine;
}
