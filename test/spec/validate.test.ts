import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { filterProperties } from '../../engine/operations/filter-properties.ts';
import { parseFilterRequest } from '../../engine/query/filter-request.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { findProblems, fromQuery } from '../../engine/spec/validate.ts';
import { wholeNumberSchema, zipSchema } from '../../engine/spec/value-schemas.ts';

const problems = (body: unknown) => findProblems(filterProperties.input, body);

function details(body: Record<string, unknown>) {
  const shape = problems(body);
  if (shape) return shape;
  try {
    parseFilterRequest(body);
    return null;
  } catch (error) {
    if (error instanceof EngineError) return error.details;
    throw error;
  }
}

describe('a filter body', () => {
  test.each<[string, Record<string, unknown>, Record<string, string[]>]>([
    ['a misspelt field', { county: '33019', acres_mni: 5 }, { acres_mni: ['unknown field; did you mean acres_min?'] }],
    ['a base name', { county: '33019', acres: 5 }, { acres: ['unknown field; did you mean acres_min or acres_max?'] }],
    ['a wrong type', { county: '33019', acres_min: 'five' }, { acres_min: ['expected a number, found "five"'] }],
    [
      'a number as text, which a body does not convert',
      { county: '33019', acres_min: '5' },
      { acres_min: ['expected a number, found "5"; did you mean 5?'] },
    ],
    [
      'a null',
      { county: null },
      { county: ['expected a county FIPS code of 4 or 5 digits, like "33019", found null'] },
    ],
    [
      'a wrong item of a list',
      { zips_include: ['03280', '0328'] },
      { zips_include: ['item 2: expected a ZIP code of 5 digits, like "03280", found "0328"'] },
    ],
    [
      'an empty list',
      { counties: [] },
      { counties: ['expected a list of at least one: a county FIPS code of 4 or 5 digits, like "33019", found []'] },
    ],
    [
      'no scope',
      { state: 'NH' },
      {
        non_field_errors: [
          'at least one scope is needed: county, counties, zips_include, geom_intersects, owner_parcel_id, neighbour_of',
        ],
      },
    ],
    [
      'bounds in the wrong order',
      { county: '33019', acres_min: 9, acres_max: 3 },
      { non_field_errors: ['acres_min (9) is above acres_max (3)'] },
    ],
    [
      'a day that no calendar has',
      { county: '33019', last_sale_date_min: '20230229' },
      { last_sale_date_min: ['expected a calendar date as YYYYMMDD or YYYY-MM-DD, found "20230229"'] },
    ],
    [
      'a day that no calendar has, as answers print it',
      { county: '33019', last_sale_date_max: '2023-02-29' },
      { last_sale_date_max: ['expected a calendar date as YYYYMMDD or YYYY-MM-DD, found "2023-02-29"'] },
    ],
    [
      'half of the slope pair',
      { county: '33019', slope_area_index: 3 },
      { non_field_errors: ['slope_area_index needs slope_area_percent beside it'] },
    ],
    [
      'a percentage above 100',
      { county: '33019', wetlands_percent_max: 101 },
      { wetlands_percent_max: ['expected a number from 0 to 100, found 101'] },
    ],
    [
      'words without letters',
      { county: '33019', owner_name_include_words: ['&'] },
      { owner_name_include_words: ['expected words with letters or digits, found "&"'] },
    ],
    [
      'an unknown filter to include',
      { county: '33019', include_unknown: ['year_bulit'] },
      {
        include_unknown: [
          'item 1: expected the name of a filter that leaves unknown values out, found "year_bulit"; did you mean "year_built"?',
        ],
      },
    ],
    [
      'a NUL in a text',
      { county: '33019', owner_1_full_name: 'A\0B' },
      {
        owner_1_full_name: [
          'expected a text of 1 to 200 characters, not only spaces, without control characters, found "A\\u0000B"',
        ],
      },
    ],
    [
      'a year that no calendar has',
      { county: '33019', mortgage_date_min: '00000101' },
      { mortgage_date_min: ['expected a calendar date as YYYYMMDD or YYYY-MM-DD, found "00000101"'] },
    ],
    [
      'a misspelt sort column',
      { county: '33019', ordering: '-acre' },
      {
        ordering: [
          'expected a column to sort by, like "acres", or "-acres" for descending, found "-acre"; did you mean "-acres"?',
        ],
      },
    ],
    [
      'a number beyond all numbers',
      { county: '33019', acres_min: Number.POSITIVE_INFINITY },
      { acres_min: ['expected a number, found Infinity'] },
    ],
    [
      'an exclude to include',
      { county: '33019', include_unknown: ['exclude_corp_owner'] },
      {
        include_unknown: [
          'item 1: expected the name of a filter that leaves unknown values out, found "exclude_corp_owner"',
        ],
      },
    ],
    [
      'a number where a code is a text',
      { county: '33019', land_use_codes: [1010, 'R1'] },
      {
        land_use_codes: [
          'item 1: expected a text of 1 to 200 characters, not only spaces, without control characters, found 1010; write it in quotes: "1010"',
        ],
      },
    ],
  ])('with %s is refused in words', (_name, body, expected) => {
    expect(details(body)).toEqual(expected);
  });

  test('names every problem at once', () => {
    expect(Object.keys(details({ county: 'NH', acres_min: true, colour: 'red' }) ?? {}).sort()).toEqual([
      'acres_min',
      'colour',
      'county',
    ]);
  });

  test.each([[[]], ['text'], [null], [7]])('that is %j is refused as no object', (body) => {
    expect(problems(body)?.non_field_errors?.[0]).toMatch(/^expected a JSON object, found /);
  });

  test('cannot reach properties of objects in general', () => {
    expect(
      Object.keys(
        problems(JSON.parse('{"__proto__": {"county": "33019"}, "constructor": 1, "toString": 2}')) ?? {},
      ).sort(),
    ).toEqual(['__proto__', 'constructor', 'toString']);
  });

  test.each([[33019], ['33019'], [8023], ['8023'], ['08023']])('takes the FIPS %j', (county) => {
    expect(details({ county })).toBeNull();
  });
});

describe('a query string', () => {
  const schema = Type.Object({
    page: wholeNumberSchema(1),
    zips: Type.Array(zipSchema()),
    exact: Type.Boolean(),
    name: Type.String(),
  });

  test('becomes what the schema asks for', () => {
    expect(fromQuery(schema, { page: '2', zips: '03280', exact: 'true', name: '12' })).toEqual({
      page: 2,
      zips: ['03280'],
      exact: true,
      name: '12',
    });
    expect(fromQuery(schema, { zips: ['03280', '03244'] })).toEqual({ zips: ['03280', '03244'] });
  });

  test.each(['', ' ', '1.0', '1e0', '2x', '0x10', 'Infinity', 'NaN', '1e999x', '--1'])(
    'leaves %j as it is, for the message to show',
    (text) => {
      expect(fromQuery(schema, { page: text })).toEqual({ page: text });
    },
  );
});
