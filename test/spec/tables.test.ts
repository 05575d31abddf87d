import fs from 'node:fs';
import path from 'node:path';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { generatedPages } from '../../engine/docs/pages.ts';
import { operations } from '../../engine/operations/index.ts';
import { localErrors, wireErrors } from '../../engine/spec/errors.ts';
import { filterKinds, wireFields } from '../../engine/spec/filter-kinds.ts';
import { filters } from '../../engine/spec/filters.ts';
import { parcelColumns, parcelColumnsByName } from '../../engine/spec/parcel-columns.ts';
import { expectedWords } from '../../engine/spec/value-schemas.ts';

const root = path.resolve(import.meta.dirname, '..', '..');

describe('the generated pages', () => {
  test.each(Object.entries(generatedPages))('%s is fresh (npm run docs)', (file, page) => {
    expect(fs.readFileSync(path.join(root, file), 'utf8')).toBe(page());
  });
});

describe('every row has its words', () => {
  test.each(parcelColumns.map((column) => [column.name, column] as const))('column %s', (_name, column) => {
    expect(column.label.length).toBeGreaterThan(2);
    expect(column.docs).toMatch(/^[A-Z“"'].{10,}\.$/);
  });

  test.each(filters.map((row) => [row.name, row] as const))('filter %s', (_name, row) => {
    expect(row.label.length).toBeGreaterThan(2);
    expect(row.docs).toMatch(/^[A-Z`"'].{10,}\.$/);
    expect(filterKinds[row.kind].docs.length).toBeGreaterThan(5);
    if ('column' in row && !['effective_acres', 'tax_delinquent_years'].includes(row.column))
      expect(parcelColumnsByName.has(row.column)).toBe(true);
  });

  test('every input field of every operation says what it expects and what it means', () => {
    const silent = operations.flatMap((operation) =>
      Object.entries(operation.input.properties as Record<string, TSchema>)
        .filter(([, schema]) => !expectedWords(schema) || !(schema as { description?: string }).description)
        .map(([field]) => `${operation.name}.${field}`),
    );
    expect(silent).toEqual([]);
  });

  test('every error says what it means', () => {
    for (const row of [...Object.values(wireErrors), ...Object.values(localErrors)]) expect(row.docs).toMatch(/\.$/);
  });
});

describe('the names of contract.md', () => {
  const contract = path.resolve(root, '..', 'shared', 'design', 'contract.md');

  test.runIf(fs.existsSync(contract))('each column of its section 3 is a row, and each row is there', () => {
    const text = fs.readFileSync(contract, 'utf8').split('## 3.')[1]?.split('`property_id` never changes')[0] ?? '';
    const named = new Set(
      text.match(
        /\b[a-z][a-z0-9]*(_[a-z0-9]+)+\b|\b(url|apn|fips|point|shape|acres|zoning|subdivision|landlocked|jurisdiction|status)\b/g,
      ),
    );
    named.delete('external_id of');
    const rows = parcelColumns.map((column) => column.name);
    expect(rows.filter((name) => !named.has(name))).toEqual([]);
    expect([...named].filter((name) => !rows.includes(name) && name.includes('_'))).toEqual([]);
  });

  test.runIf(fs.existsSync(contract))('each filter field of its section 2 is a wire field', () => {
    const section =
      fs.readFileSync(contract, 'utf8').split('### filter_properties')[1]?.split('### search_properties')[0] ?? '';
    const cells = section
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|')[1] ?? '');
    const fields = cells.flatMap((cell) =>
      [...cell.matchAll(/`([a-z0-9_]+)(…|\/_max)?`/g)].flatMap(([, name = '', more]) =>
        more ? [`${name.replace(/_min$|_$/, '')}_min`, `${name.replace(/_min$|_$/, '')}_max`] : [name],
      ),
    );
    const known = wireFields(filters);
    expect(fields.length).toBeGreaterThan(60);
    expect(fields.filter((field) => !known.has(field))).toEqual([]);
    expect([...known.keys()].filter((field) => !fields.includes(field))).toEqual([]);
  });
});
