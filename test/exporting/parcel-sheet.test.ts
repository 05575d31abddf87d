/** The parcel sheet, read back by another program. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { PDFDocument, PDFName } from 'pdf-lib';
import { expect, test } from 'vitest';
import { findShelved } from '../../engine/exporting/export-shelf.ts';
import { runRead } from '../../engine/reads/index.ts';
import type { ParcelSheet } from '../../engine/reads/parcel-sheet.ts';
import { roundLength } from '../../engine/sheet/sheet-foot.ts';
import { shownValue } from '../../engine/work/shown-value.ts';
import { keepValue } from '../../engine/work/stored-values.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';

const hasReader = requireOrSkip(
  'pdftotext',
  spawnSync('pdftotext', ['-v']).status === 0,
  'it reads the sheet back (apt-get install poppler-utils)',
);

async function sheetOf(id: number, prepare: (engine: ReturnType<typeof engineOn>) => unknown = () => {}) {
  const engine = engineOn(sampleHome());
  await prepare(engine);
  const data = await runRead(engine, 'parcel_sheet', { id });
  const { id: shelved, name, bytes } = data as ParcelSheet;
  const made = findShelved(engine.home, shelved);
  expect(made).toMatchObject({ name, bytes, mediaType: 'application/pdf' });
  const file = path.join(process.env.PLATBOOK_SHEETS ?? emptyHome(), name);
  fs.copyFileSync(made?.path ?? '', file);
  return { engine, name, text: execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }), file };
}

test.skipIf(!hasReader)('the sheet has the parcel’s facts on one page, and says what it is not', async () => {
  const { engine, text, file, name } = await sheetOf(2);
  const row = engine.land.file.get<{ apn: string; owner_name: string }>(
    'SELECT apn, owner_name FROM parcels WHERE property_id = 2',
  );
  expect(text).toContain(row?.apn);
  expect(text).toContain(row?.owner_name);
  expect(text).toContain('Boundaries are approximate, not a survey.');
  expect(text).toContain('stays on this computer');
  expect(text).toMatch(/\d ft/);
  expect(text).not.toContain('Comp value');
  expect(text).not.toContain('?');
  expect(name).toMatch(/^parcel-[\w.-]+\.pdf$/);
  expect(execFileSync('pdfinfo', [file], { encoding: 'utf8' })).toMatch(/Pages:\s+1\n[\s\S]*612 x 792/);
  expect(engine.account.file.all('SELECT * FROM ledger')).toEqual([]);
});

test.skipIf(!hasReader)('the sheet has north, its scale, the place’s ZIP and the names of neighbors', async () => {
  const { engine, text } = await sheetOf(2);
  const { file } = engine.land;
  const place = file.get<{ city: string; state: string; zip: string }>(
    'SELECT situs_city AS city, situs_state AS state, situs_zip AS zip FROM parcels WHERE property_id = 2',
  );
  expect(text).toContain(`${place?.city}, ${place?.state} ${place?.zip}`);
  expect(text).toMatch(/1:[\d,]+/);
  expect(text).toMatch(/(?:^|\s)N(?:\s|$)/m);
  const neighbors = file.column<string>(
    `SELECT owner_name FROM idx_parcels_geom i JOIN idx_parcels_geom own ON own.pkid = 2 JOIN parcels p ON p.property_id = i.pkid
     WHERE i.pkid <> 2 AND i.xmin <= own.xmax AND i.xmax >= own.xmin AND i.ymin <= own.ymax AND i.ymax >= own.ymin
       AND owner_name IS NOT NULL`,
  );
  expect(neighbors.filter((name) => text.includes(name.split(' ')[0] as string)).length).toBeGreaterThan(0);
});

test.skipIf(!hasReader)('a value that was paid for stands on the sheet, with its date and its range', async () => {
  const { text } = await sheetOf(2, async (engine) => {
    const { data } = await engine.explainCompValue(2);
    keepValue(engine.account, {
      property_id: 2,
      valued_at: '2026-07-04T12:00:00.000Z',
      explained: shownValue(engine, 2, data),
    });
  });
  expect(text).toMatch(/Comp value \$[\d,]+/);
  expect(text).toMatch(/\$[\d,]+ to \$[\d,]+, from \d+ comps, 2026-07-04\. A research indication, not an appraisal\./);
  // the grid is on a page of its own
  const [, grid = ''] = text.split('\f');
  expect(grid).toMatch(/Comp value of \S+[\s\S]*This parcel/);
  expect(grid).toMatch(/Gross[\s\S]*Weight/);
});

test.skipIf(!hasReader)(
  'a sheet to print asks for a printer as soon as it is opened; one to keep does not',
  async () => {
    const engine = engineOn(sampleHome());
    const actionOf = async (input: object) => {
      const { id } = (await runRead(engine, 'parcel_sheet', { id: 2, ...input })) as ParcelSheet;
      const pdf = await PDFDocument.load(fs.readFileSync(findShelved(engine.home, id)?.path ?? ''));
      return String(pdf.catalog.get(PDFName.of('OpenAction')));
    };
    expect(await actionOf({ to_print: true })).toMatch(/\/S \/Named\s+\/N \/Print/);
    expect(await actionOf({})).toBe('undefined');
  },
);

test('a parcel that is not there is said so', async () => {
  const engine = engineOn(sampleHome());
  await expect(async () => runRead(engine, 'parcel_sheet', { id: 999_999_999 })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a scale bar is the longest 1, 2 or 5 times a power of ten that fits', () => {
  expect([328, 3280, 164, 524, 0.7].map(roundLength)).toEqual([200, 2000, 100, 500, 0.5]);
});
