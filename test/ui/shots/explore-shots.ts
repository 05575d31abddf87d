/** Explore: the panel, the sentence, the table, the bars. */
import { changePlan } from '../../../engine/account/plan.ts';
import { lookAt } from '../map-view.ts';
import { closeFilters, counted, found, foundByKeys, openFilters, results, type Shot } from './shot.ts';

export const exploreShots: readonly Shot[] = [
  { name: 'first-run', home: 'empty' },
  { name: 'explore-begin', act: counted },
  { name: 'explore', act: found },
  {
    // As the mock has it: close enough for the lots, one of them chosen.
    name: 'explore-lots',
    act: async (page, engine) => {
      await found(page);
      const { selected } = await page.evaluate(() => JSON.parse(localStorage.getItem('platbook.explore') ?? '{}'));
      const [place] = engine.sql<{ point_lon: number; point_lat: number }>(
        'SELECT point_lon, point_lat FROM parcels WHERE property_id = ?',
        [Number(selected)],
      );
      await lookAt(page, { longitude: place?.point_lon ?? 0, latitude: place?.point_lat ?? 0, zoom: 13 });
    },
  },
  {
    name: 'explore-changed',
    act: async (page) => {
      await found(page);
      const acres = page.getByLabel('Acres from', { exact: true });
      if (!(await acres.isVisible())) {
        // On a phone, and under large text, the parcel lies over the button of the filters.
        if (await page.locator('[data-width=tiny]').count()) await page.keyboard.press('Escape');
        await openFilters(page);
      }
      await acres.fill('20');
      await page
        .getByRole('radiogroup', { name: /flood zone/ })
        .getByRole('radio', { name: 'include' })
        .click();
      await counted(page);
      await closeFilters(page);
    },
  },
  { name: 'explore-1024x680', size: { width: 1024, height: 680 }, act: foundByKeys },
  {
    name: 'explore-1024x680-filters',
    size: { width: 1024, height: 680 },
    act: openFilters,
  },
  { name: 'explore-1280x800', size: { width: 1280, height: 800 }, act: foundByKeys },
  { name: 'explore-text-200', isLargeText: true, act: counted },
  { name: 'explore-text-200-parcel', isLargeText: true, act: foundByKeys },
  {
    name: 'explore-no-place',
    act: async (page) => {
      await openFilters(page);
      await page.getByRole('button', { name: 'Remove Alder County 99001' }).click();
      await closeFilters(page);
    },
  },
  {
    name: 'explore-nothing-found',
    act: async (page) => {
      await openFilters(page);
      await page.getByLabel('Acres from', { exact: true }).fill('50000');
      await page.getByRole('checkbox', { name: 'Only vacant parcels' }).click();
      await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
      await closeFilters(page);
    },
  },
  {
    name: 'explore-error',
    act: async (page, engine) => {
      await counted(page);
      changePlan(engine.account, { invoice_paid: false });
      await page.locator('[data-command=search]:visible').click();
      await page.getByRole('heading', { name: 'The search did not finish' }).waitFor();
      changePlan(engine.account, { invoice_paid: true });
    },
  },
  {
    name: 'explore-sections',
    size: { width: 1440, height: 3200 },
    themes: ['light'],
    act: async (page) => {
      await counted(page);
      const closed = page.locator('.section-head[aria-expanded=false]');
      while ((await closed.count()) > 0) await closed.first().click();
      await page.waitForTimeout(1500);
    },
  },
  {
    name: 'suggestions',
    act: async (page) => {
      await counted(page);
      await page.getByLabel('Search', { exact: true }).fill('12-2');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'columns',
    act: async (page) => {
      await results(page);
      await page.getByRole('button', { name: 'Columns' }).click();
    },
  },
  { name: 'palette', act: (page) => counted(page).then(() => page.keyboard.press('Control+k')) },
  { name: 'shortcuts', act: (page) => counted(page).then(() => page.keyboard.press('?')) },
  {
    name: 'selected',
    act: async (page) => {
      await foundByKeys(page);
      // By keys: on a phone the parcel lies over the others.
      await page.locator('.grid').focus();
      for (let row = 0; row < 3; row++) await page.keyboard.press('Shift+ArrowDown');
    },
  },
  {
    name: 'export',
    act: async (page) => {
      await results(page);
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menu', { name: 'Export' }).waitFor();
    },
  },
  {
    name: 'mail-merge',
    act: async (page) => {
      await results(page);
      await page.getByRole('button', { name: 'Mail merge' }).click();
    },
  },
];
