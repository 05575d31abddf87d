/** The desk's changes: the operation of the public API, and a whole desk from a CSV. */
import fs from 'node:fs';
import Type from 'typebox';
import { readPlan, requirePlan } from '../account/plan.ts';
import { readCompFile } from '../importing/lists/comp-rows.ts';
import { runAtHome } from '../operations/operation.ts';
import { journaledDeals, updateDeal as updateOperation, writeDeal } from '../operations/update-deal.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { count, fipsSchema, normalFips, strict } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';
import { type CsvDeal, dealsOfRows } from './deals-csv.ts';
import { joinByApn, requireMatches } from './join-by-apn.ts';
import { freePlace } from './made-file.ts';

export const updateDeal = defineChange({
  name: updateOperation.name,
  docs: updateOperation.docs,
  input: updateOperation.input,
  output: updateOperation.output,
  isJournaled: true,
  run: (input, engine) => {
    requirePlan(readPlan(engine.account));
    const data = runAtHome(updateOperation, input, engine);
    const { entry, sentence } = data;
    return { data, mark: entry === null || sentence === null ? null : { entry, sentence } };
  },
});

/** Two hundred thousand deals; a larger file is something else. */
const mostBytes = 32 * 1024 * 1024;

const imported = Type.Object(
  {
    rows: count('Rows with an APN.'),
    matched: count(),
    several: count('Rows whose APN several parcels have: left out.'),
    none: count('Rows whose APN no parcel has: left out.'),
    blank: count('Rows without an APN: left out.'),
    changed: count('Deals that are now different.'),
  },
  strict,
);

export const importDeals = defineChange({
  name: 'import_deals',
  docs: 'Reads a desk from a CSV of APN and, where it has them, county, stage, date, next step, offer and note, joined by APN; columns that it lacks stay as they are.',
  input: Type.Object(
    {
      bytes: Type.String({
        'x-expected': 'a CSV of at most 32 MB, in Base64',
        maxLength: Math.ceil(mostBytes / 3) * 4,
      }),
      name: Type.String({ maxLength: 500 }),
      county: Type.Optional(fipsSchema({ description: 'Where a row names none; else all counties are looked in.' })),
      stages: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          'x-expected': 'an object from a word of the file to a stage',
          description: 'Words of the file for stages: {"Letter sent": "mailed"}.',
        }),
      ),
    },
    strict,
  ),
  output: imported,
  isJournaled: true,
  run: async ({ bytes, name, county, stages = {} }, engine) => {
    requirePlan(readPlan(engine.account));
    const rows = await rowsOfBytes(engine, Buffer.from(bytes, 'base64'), name);
    const fips = county === undefined ? null : normalFips(county);
    const { deals, blank } = dealsOfRows(rows, stages);
    const joined = joinByApn(engine.land, deals, fips);
    requireMatches(engine.land, joined, deals.length);
    const today = engine.now().toISOString().slice(0, 10);
    const at = engine.now().toISOString();
    const sentence = `Read ${counted(joined.matched.size, 'deal', 'deals')} from ${name}`;
    const { changed, mark } = journaledDeals(engine, { change: 'import_deals', noted: { name }, sentence }, () => ({
      changed: writeAll(joined.matched),
      without: 0,
    }));
    function writeAll(matched: ReadonlyMap<number, CsvDeal>): number {
      let written = 0;
      const { file } = engine.account;
      for (const [id, { wish, timeline }] of matched) {
        const has = file.get('SELECT 1 FROM deal_log WHERE property_id = ?', id) !== undefined;
        const lines = timeline && !has ? timeline : undefined;
        if (writeDeal(file, id, wish, { at, today, ...(lines ? { lines } : {}) })) written += 1;
      }
      return written;
    }
    const { several, none } = joined;
    return {
      data: {
        rows: deals.length,
        matched: joined.matched.size,
        several: several.length,
        none: none.length,
        blank,
        changed,
      },
      mark,
    };
  },
});

type FileRow = Readonly<Record<string, unknown>>;

/** @throws EngineError import_refused for anything but rows of text */
async function rowsOfBytes(home: Parameters<typeof freePlace>[0], bytes: Buffer, name: string): Promise<FileRow[]> {
  const start = bytes.subarray(0, 4096);
  if (bytes.length === 0 || start.includes(0) || start.toString('latin1').startsWith('PK'))
    throw new EngineError(
      'import_refused',
      `${name}: expected a CSV with a column APN, found ${bytes.length === 0 ? 'an empty file' : 'binary data'}. Save the sheet as CSV.`,
    );
  const { target } = await freePlace(home, 'desk.csv');
  try {
    fs.writeFileSync(target, bytes);
    const rows: FileRow[] = [];
    readCompFile(target, ({ properties }) => void rows.push(properties));
    return rows;
  } finally {
    fs.rmSync(target, { force: true });
  }
}
