/** What the map shows, as a page to print. */
import fs from 'node:fs';
import Type from 'typebox';
import { safeFileName } from '../exporting/export-shelf.ts';
import { parseLiveRequest } from '../query/live-request.ts';
import { idsInBox } from '../query/live-rows.ts';
import { makeViewSheet, viewBounds, viewSheetFields } from '../sheet/view-sheet.ts';
import { count, strict, type ValueOf } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { madeFileSchema, shelve } from '../work/made-file.ts';
import { defineRead } from './read.ts';

const madeSheet = Type.Object(
  {
    ...madeFileSchema.properties,
    scale: count('6000 for 1:6,000.'),
    lots: count(),
    matches: count('Lots of the page that match the filter.'),
    notes: Type.Array(Type.String(), { description: 'Sentences about what did not fit.' }),
  },
  strict,
);
export type MadeSheet = ValueOf<typeof madeSheet>;

export const mapSheet = defineRead({
  name: 'map_sheet',
  docs: 'One page of the map as PDF, to scale and georeferenced, to be fetched from /app/download/<id> or /app/print/<id>: lots, the matches of a filter, selected parcels, layers, contours and relief. Free: the matches were paid for by the search.',
  input: Type.Object({ ...viewSheetFields, filter: Type.Optional(filterBodySchema) }, strict),
  output: madeSheet,
  run: async ({ filter, ...view }, engine) => {
    const { land, account } = engine;
    const matched = filter && idsInBox(land, parseLiveRequest(filter, account), viewBounds(view));
    const { pdf, name, scale, drawn, notes } = await makeViewSheet(engine, { ...view, ...(matched && { matched }) });
    const { made } = await shelve(engine, safeFileName(name, 'pdf'), (target) => fs.promises.writeFile(target, pdf));
    return { ...made, scale, lots: drawn.lots, matches: matched?.length ?? 0, notes: [...notes] };
  },
});
