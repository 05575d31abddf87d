/** Problems and outdated data, as the window shows them. */
import path from 'node:path';
import Database from 'better-sqlite3';
import { counted, foundByKeys, goTo, parcelOf, type Shot } from './shot.ts';

export const stateShots: readonly Shot[] = [
  {
    name: 'state-locked',
    act: async (page, engine) => {
      const other = new Database(path.join(engine.home, 'account.sqlite'));
      other.exec('BEGIN IMMEDIATE');
      await counted(page);
      await page.reload();
      await page.getByText('Another program holds your file.').waitFor();
      return () => other.close();
    },
  },
  {
    name: 'state-searched-before-import',
    act: async (page) => {
      await foundByKeys(page);
      // As after an import of the county that was searched.
      await page.evaluate(() => {
        const kept = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
        const before = kept.dataKey.replace(/"20\d\d-/, '"1999-');
        localStorage.setItem('platbook.explore', JSON.stringify({ ...kept, dataKey: before }));
      });
      await page.reload();
      await page.getByText('Not searched with this data yet').waitFor();
    },
  },
  { name: 'state-troubled', home: 'troubled', act: counted },
  { name: 'state-troubled-1024x680', home: 'troubled', size: { width: 1024, height: 680 }, act: counted },
  { name: 'state-troubled-settings', home: 'troubled', act: goTo('settings') },
  { name: 'parcel-history', act: (page) => parcelOf(page, 'History') },
];
