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
    if ('column' in row && !['effective_acres', 'tax_delinquent_years', 'plss', 'vacant'].includes(row.column))
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

describe('the names that docs/contract.md promises', () => {
  const page = fs.readFileSync(path.join(root, 'docs/contract.md'), 'utf8').split('## Stable names')[1] ?? '';
  const [columns, fields] = (page.split('\n## ')[0] ?? '')
    .split('Filter fields')
    .map((part) => [...part.matchAll(/`([a-z0-9_]+)`/g)].map(([, name = '']) => name));

  test('each column is there', () => {
    expect(columns?.length).toBeGreaterThan(80);
    expect(columns?.filter((name) => !parcelColumnsByName.has(name))).toEqual([]);
  });

  test('each filter field is there', () => {
    const known = wireFields(filters);
    expect(fields?.length).toBeGreaterThan(60);
    expect(fields?.filter((field) => !known.has(field))).toEqual([]);
  });
});
