/** The parcel sheet, to print or take along. Changes nothing; it is a change because making a PDF takes a promise. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import Type from 'typebox';
import { clearShelf, shelfPlace } from '../exporting/export-shelf.ts';
import { count, strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';
import { findValue, type StoredValue } from './stored-values.ts';
import { tellLocal } from './tell-local.ts';

const sheetValue = ({ valued_at, explained }: StoredValue) => ({
  value: explained.numbers.mean_adjusted_price,
  low: explained.range.low,
  high: explained.range.high,
  comps: explained.used.length,
  valued_at,
});

const sheet = Type.Object(
  {
    id: Type.String({ description: 'For `GET /app/download/<id>` and `GET /app/print/<id>`.' }),
    name: Type.String(),
    bytes: count(),
  },
  strict,
);
export type ParcelSheet = ValueOf<typeof sheet>;

export const parcelSheet = defineChange({
  name: 'parcel_sheet',
  docs: 'One parcel on one page as PDF, to be fetched from /app/download/<id>: map to scale, facts, the stored comp value where there is one. With `to_print` the program that opens it asks for a printer. Free.',
  input: Type.Object(
    { id: wholeNumberSchema(0, Number.MAX_SAFE_INTEGER), to_print: Type.Optional(Type.Boolean()) },
    strict,
  ),
  output: sheet,
  run: async ({ id: propertyId, to_print: isToPrint = false }, { land, account, home, now }) => {
    const stored = findValue(account, propertyId);
    // As labels are: pdf-lib is read when it is needed.
    const { makeParcelSheet } = await import('../exporting/parcel-sheet.ts');
    const { name, pdf } = await makeParcelSheet(land, propertyId, {
      value: stored ? sheetValue(stored) : null,
      madeAt: now(),
      isToPrint,
    });
    clearShelf(home, now());
    const id = randomBytes(16).toString('hex');
    await tellLocal(async () => fs.promises.writeFile(await shelfPlace(home, id, name), pdf));
    return { data: { id, name, bytes: pdf.length } };
  },
});
