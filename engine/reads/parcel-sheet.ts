/** The sheet and the adjoiner map of a parcel, to print or take along. */
import fs from 'node:fs';
import Type from 'typebox';
import { listNeighbours } from '../operations/list-neighbours.ts';
import { adjoinerMap as mapOfAdjoiners } from '../sheet/adjoiner-map.ts';
import { makeParcelSheet } from '../sheet/parcel-sheet.ts';
import { sheetPhoto } from '../sheet/sheet-photo.ts';
import { viewSheetFields } from '../sheet/view-sheet.ts';
import { strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import { madeFileSchema, shelve } from '../work/made-file.ts';
import { findValue, type StoredValue } from '../work/stored-values.ts';
import { defineRead } from './read.ts';

const sheetValue = ({ valued_at, explained }: StoredValue) => ({
  value: explained.numbers.mean_adjusted_price,
  low: explained.range.low,
  high: explained.range.high,
  comps: explained.used.length,
  valued_at,
  grid: explained,
});

/** Besides, `GET /app/print/<id>` opens it. */
export type ParcelSheet = ValueOf<typeof madeFileSchema>;

export const parcelSheet = defineRead({
  name: 'parcel_sheet',
  docs: 'One parcel on one page as PDF, to be fetched from /app/download/<id>: map to scale, facts, the stored comp value where there is one, with its comps on a second page. With `to_print` the program that opens it asks for a printer. Free.',
  input: Type.Object(
    {
      id: wholeNumberSchema(0, Number.MAX_SAFE_INTEGER),
      to_print: Type.Optional(Type.Boolean()),
      photo: viewSheetFields.photo,
    },
    strict,
  ),
  output: madeFileSchema,
  run: async ({ id: propertyId, to_print: isToPrint = false, photo }, engine) => {
    const { land, account, now } = engine;
    const stored = findValue(account, propertyId);
    const { name, pdf } = await makeParcelSheet(land, propertyId, {
      value: stored ? sheetValue(stored) : null,
      madeAt: now(),
      isToPrint,
      ...(photo !== undefined && { photoOf: (frame) => sheetPhoto(engine, photo, frame) }),
    });
    return (await shelve(engine, name, (target) => fs.promises.writeFile(target, pdf))).made;
  },
});

const { id: parcelId, within_feet } = listNeighbours.input.properties;

export const adjoinerMap = defineRead({
  name: 'adjoiner_map',
  docs: 'The neighbours of a parcel on a map to scale, numbered, with owners and mailing addresses in a table, and a proof page with every account, as PDF, to be fetched from /app/download/<id>. Free.',
  input: Type.Object({ id: parcelId, within_feet }, strict),
  output: Type.Object({ ...madeFileSchema.properties, notes: Type.Array(Type.String()) }, strict),
  run: async ({ id: propertyId, within_feet: feet = null }, engine) => {
    const { name, pdf, notes } = mapOfAdjoiners(engine, propertyId, feet);
    const { made } = await shelve(engine, name, (target) => fs.promises.writeFile(target, pdf));
    return { ...made, notes: [...notes] };
  },
});
