/**
 * Texts over which a regular expression that looks at every end would work for hours. A proposal is made in a process of its
 * own, which is ended with an error when it does not come back.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { collection, square, writeFile } from '../fixtures.ts';

const run = promisify(execFile);
const importing = path.resolve(import.meta.dirname, '..', '..', '..', 'engine', 'importing');
const patience = 60_000;
const rows = 8;
const long = 800_000;

/** The result of an engine module, as JSON. */
async function answerOf(module: string, call: string, file: string): Promise<unknown> {
  const script = `
    const engine = await import(process.argv[1]);
    const file = process.argv[2];
    console.log(JSON.stringify(${call}));`;
  const args = ['--input-type=module', '-e', script, path.join(importing, ...module.split('/')), file];
  return JSON.parse((await run(process.execPath, args, { timeout: patience })).stdout);
}

test.each([
  ['a second shape as hexadecimal WKB', 'GEOM_2', '0106000020E6100000'.repeat(long / 18)],
  ['digits without an end', 'SITUS_ADDRESS', '1'.repeat(long)],
  ['a ZIP, a void and a letter', 'SITUS_ZIP', `12345${' '.repeat(long)}x`],
  ['many cities on two lines', 'MAIL_ADDR_2', `${', AA 12345'.repeat(long / 10)}\nx`],
  ['a line with a void in it', 'LEGAL', `A,${' '.repeat(long)}x`],
])('a mapping is proposed beside %s', async (_, name, text) => {
  const lots = Array.from({ length: rows }, (_row, index) => ({
    geometry: square(index),
    properties: { PARCEL_NO: `7-${index + 100}`, MAIL_ADDR_1: `${index} ELM ST`, [name]: `${text}${index}` },
  }));
  const file = writeFile('hostile.geojson', collection(lots));
  const proposal = await answerOf(
    'guess/propose-mapping.ts',
    'engine.proposeMapping({ file, state: "NH" }).columns.map(({ column, source }) => [column, source])',
    file,
  );
  expect(proposal).toContainEqual(['apn', 'PARCEL_NO']);
});

test('a list of sales is understood beside a size with a void in it', async () => {
  const sizes = Array.from({ length: rows }, () => `5${' '.repeat(long)}x`);
  const lines = sizes.map((size, index) => `A${index},Closed,45000,03/04/2025,"${size}",43.17,-72.09`);
  const file = writeFile('sales.csv', `MLS,Status,Price,Sold Date,Size,Lat,Lng\n${lines.join('\n')}\n`);
  const proposal = await answerOf(
    'lists/propose-comps.ts',
    'engine.proposeComps(file).fields.flatMap(({ field, source }) => source === null ? [] : [[field, source]])',
    file,
  );
  expect(proposal).toContainEqual(['price', 'Price']);
  expect(proposal).not.toContainEqual(['lot_size', 'Size']);
});
