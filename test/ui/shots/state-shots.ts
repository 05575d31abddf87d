/** Problems and outdated data, as the window shows them. */
import path from 'node:path';
import Database from 'better-sqlite3';
import { createKey } from '../../../engine/account/api-keys.ts';
import { firstKeyName } from '../../../engine/account/first-search.ts';
import { sampleSearch } from '../../../engine/spec/sample-search.ts';
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
  {
    name: 'state-loading',
    act: async (page) => {
      await foundByKeys(page);
      // Answers that do not come.
      await page.route('**/app/{read,call}/**', () => {});
      await page.reload();
      await page.waitForTimeout(1500);
    },
  },
  {
    name: 'state-gone',
    act: async (page) => {
      await foundByKeys(page);
      await page.context().setOffline(true);
      await page.keyboard.press('Escape');
      await page.getByText('Platbook has stopped.').waitFor({ timeout: 60_000 });
    },
  },
  { name: 'state-troubled', home: 'troubled', act: counted },
  { name: 'state-troubled-1024x680', home: 'troubled', size: { width: 1024, height: 680 }, act: counted },
  { name: 'state-troubled-settings', home: 'troubled', act: goTo('settings') },
  { name: 'parcel-history', act: (page) => parcelOf(page, 'History') },
  // Last: every window of the home begins with it from then on.
  {
    name: 'first-view',
    act: async (page, engine) => {
      // The search that `npm start` pays for.
      const key = createKey(engine.account, firstKeyName, ['read'], engine.now());
      await engine.call('filter_properties', { ...sampleSearch, page_size: 3 }, { mode: 'script', keyId: key.id });
      // What the window kept at its end is older than this search.
      const url = page.url();
      await page.goto('about:blank');
      const session = await page.context().newCDPSession(page);
      await session.send('Storage.clearDataForOrigin', {
        origin: new URL(url).origin,
        storageTypes: 'local_storage',
      });
      engine.account.file.run('DELETE FROM window_memory');
      await page.goto(url);
      await page.locator('.grid-body .apn').first().waitFor({ timeout: 60_000 });
    },
  },
];
