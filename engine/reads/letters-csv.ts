/** The letters of a written mailing as CSV, for the mail merge of a word processor. */
import { writeFile } from 'node:fs/promises';
import Type from 'typebox';
import { byteOrderMark } from '../exporting/csv.ts';
import { safeFileName } from '../exporting/export-shelf.ts';
import { csvCell } from '../exporting/text-cells.ts';
import { getMailing, readLetters } from '../mailings/mailing-store.ts';
import { EngineError } from '../spec/errors.ts';
import { neutralText } from '../spec/formula-cells.ts';
import { count, strict } from '../spec/value-schemas.ts';
import { idSchema } from '../work/chosen-parcels.ts';
import { madeFileSchema, shelve } from '../work/made-file.ts';
import { defineRead, type ReadContext } from './read.ts';

const addressSql = `SELECT p.property_id, p.apn, p.mailing_address, p.mailing_city, p.mailing_state, p.mailing_zip,
  p.situs_address, c.name AS county
  FROM parcels p LEFT JOIN counties c USING (fips) WHERE property_id IN (SELECT value FROM json_each(?))`;

const csvColumns = [
  ...['code', 'owner_name', 'mailing_address', 'mailing_city', 'mailing_state', 'mailing_zip', 'apn', 'county'],
  ...['situs_address', 'acres', 'offer', 'other_parcels'],
] as const;

/**
 * With byte order mark, a line a letter.
 * @throws EngineError not_found; validation_error before the letters are written
 */
export function lettersCsv({ land, account }: Pick<ReadContext, 'land' | 'account'>, mailing: number) {
  const { written_on: written, name } = getMailing(account, mailing);
  if (written === null)
    throw new EngineError('validation_error', `The letters of “${name}” are not written yet: write them first.`);
  const letters = readLetters(account, mailing);
  const ids = JSON.stringify(letters.map(({ property_id: id }) => id));
  const addresses = new Map(
    land.file.all<Record<string, unknown>>(addressSql, ids).map((row) => [row.property_id as number, row]),
  );
  const lines = letters.map((letter) => {
    const row = { ...addresses.get(letter.property_id), ...letter, other_parcels: letter.others.length };
    return csvColumns.map((column) => {
      const value = (row as Record<string, unknown>)[column] ?? '';
      return csvCell(typeof value === 'string' ? neutralText(value) : String(value));
    });
  });
  return {
    text: `${byteOrderMark}${[csvColumns, ...lines].map((cells) => cells.join(',')).join('\r\n')}\r\n`,
    letters: lines.length,
    name,
  };
}

export const makeLettersCsv = defineRead({
  name: 'make_letters_csv',
  docs: 'Writes the letters of a written mailing, with addresses, codes and offers, into a CSV for download from /app/download/<id>, for a mail merge. Free.',
  input: Type.Object({ mailing_id: idSchema }, strict),
  output: Type.Object({ ...madeFileSchema.properties, letters: count() }, strict),
  run: async ({ mailing_id: id }, engine) => {
    const { text, letters, name } = lettersCsv(engine, id);
    const { made } = await shelve(engine, safeFileName(name, 'csv'), (target) => writeFile(target, text));
    return { ...made, letters };
  },
});
