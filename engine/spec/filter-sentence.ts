/** The filters as one sentence, phrase by phrase; each phrase belongs to one filter. */

import { activeFilters, type FilterBody, unitOf, unknownMode, unknownOf } from './active-filters.ts';
import { grouped } from './counted.ts';
import { formatDate } from './date-words.ts';
import type { FilterRow } from './filters.ts';
import { formatMoney, formatMonths, formatNumber, formatPercent } from './number-words.ts';
import { slopeEdgesPercent } from './parcel-columns.ts';
import { isoFromDate } from './value-schemas.ts';

interface Phrase {
  readonly filter: string;
  /** Text between the previous phrase and this one: `, owner `. */
  readonly before: string;
  readonly text: string;
}

export interface Words {
  /** `99001` → `Alder County`. */
  readonly countyName: (fips: string) => string;
  /** A code's label from the county, if there is one. */
  readonly valueLabel?: (filter: string, value: string) => string;
}

interface Said {
  /** Precedes the phrase, without underline. */
  readonly lead?: string;
  readonly text: string;
  /** Joined without a comma, like `of 5 to 80 acres`. */
  readonly isClose?: boolean;
}

export function phrasesOf(body: FilterBody, words: Words): Phrase[] {
  return activeFilters(body).map((row, i): Phrase => {
    const said = (special[row.name] ?? byKind[row.kind])?.(row, body, words) ?? { text: row.label };
    const glue = i === 0 || said.isClose ? ' ' : ', ';
    const mode = unknownMode(body, row.name);
    const orUnknown = mode === 'keep' && unknownOf(row) === 'drop' ? ' or unknown' : '';
    const text = mode === 'only' ? unknownText(row) : `${said.text}${orUnknown}`;
    return { filter: row.name, before: `${glue}${mode !== 'only' && said.lead ? `${said.lead} ` : ''}`, text };
  });
}

/** All phrases, after a word like `Parcels`: ` in Alder County of 5 to 80 acres, vacant`. */
export const sentenceOf = (body: FilterBody, words: Words): string =>
  phrasesOf(body, words)
    .map(({ before, text }) => `${before}${text}`)
    .join('');

const unknownText = ({ kind, label }: FilterRow): string => {
  const name = label.toLowerCase();
  return `${kind === 'exclude' ? name.replace(/^exclude /, '') : name} unknown`;
};

/** One phrase as a title, for lists of filters: `Flood zone at most 10 %`. */
export function titleOf(row: FilterRow, body: FilterBody, words: Words): string {
  const text = phrasesOf(body, words).find(({ filter }) => filter === row.name)?.text ?? row.label;
  const isOwnName = /^(only|exclude|choice|is)$/.test(row.kind);
  if (isOwnName) return row.kind === 'is' || row.kind === 'choice' ? `${row.label}: ${yesNo(row, body)}` : row.label;
  const isNamed = row.label.toLowerCase().includes('at most') || row.name === 'acres' || row.scope === true;
  return isNamed && row.kind === 'max'
    ? `${row.label} ${bound(row, body[`${row.name}_max`])}`
    : isNamed
      ? text
      : `${row.label} ${text}`;
}

const yesNo = (row: FilterRow, body: FilterBody): string =>
  body[row.name] === true || body[row.name] === 'Y' ? 'yes' : 'no';

const listed = (values: readonly unknown[], most = 3): string => {
  const shown = values.slice(0, most).map(String);
  const rest = values.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} or ${formatNumber(rest)} more` : shown.join(' or ');
};

const valuesOf = (body: FilterBody, name: string): readonly unknown[] => (body[name] as unknown[] | undefined) ?? [];

function bound(row: FilterRow, value: unknown): string {
  const number = value as number;
  const unit = unitOf(row);
  if (unit === '$') return formatMoney(number);
  if (unit === '%') return formatPercent(number);
  if (unit === 'months') return formatMonths(number);
  if (row.name === 'year_built') return String(number);
  return `${formatNumber(number)}${unit ? ` ${unit}` : ''}`;
}

/** `5 to 80 acres`, `at least …`, `at most …`. */
function between(low: string | undefined, high: string | undefined, unit = ''): string {
  const end = unit === '' ? '' : ` ${unit}`;
  if (low !== undefined && high !== undefined) return `${low} to ${high}${end}`;
  return low === undefined ? `at most ${high}${end}` : `at least ${low}${end}`;
}

function rangeText(row: FilterRow, body: FilterBody): string {
  const [low, high] = [body[`${row.name}_min`], body[`${row.name}_max`]];
  const text = (value: unknown) => (value === undefined ? undefined : bound(row, value));
  return between(text(low), text(high));
}

const dateText = (value: unknown): string | undefined => {
  const iso = value === undefined ? null : isoFromDate(String(value));
  return value === undefined ? undefined : iso ? formatDate(iso) : String(value);
};

function dateRange(row: FilterRow, body: FilterBody): string {
  const [low, high] = [dateText(body[`${row.name}_min`]), dateText(body[`${row.name}_max`])];
  if (low !== undefined && high !== undefined) return `${low} to ${high}`;
  return low === undefined ? `until ${high}` : `since ${low}`;
}

function aroundText(row: FilterRow, body: FilterBody): string {
  const feet = body.within_feet === undefined ? '' : `, within ${grouped(Number(body.within_feet))} ft`;
  return `neighbours of parcel ${body[row.name]}${feet}`;
}

type Say = (row: FilterRow, body: FilterBody, words: Words) => Said;

const named =
  (text: (row: FilterRow, body: FilterBody, words: Words) => string): Say =>
  (row, body, words) => ({
    lead: row.label.toLowerCase(),
    text: text(row, body, words),
  });

const byKind: Partial<Record<FilterRow['kind'], Say>> = {
  county: (row, body, words) => ({ lead: 'in', text: words.countyName(String(body[row.name])) }),
  counties: (row, body, words) => ({
    lead: 'in',
    text: listed(valuesOf(body, row.name).map((fips) => words.countyName(String(fips)))),
  }),
  state: (row, body) => ({ lead: 'in', text: String(body[row.name]) }),
  zips: (row, body) => ({ lead: 'in', text: `ZIP ${listed(valuesOf(body, row.name))}` }),
  exclude_zips: (row, body) => ({ text: `not in ZIP ${listed(valuesOf(body, row.name))}` }),
  geometry: () => ({ lead: 'in', text: 'the drawn area' }),
  portfolio: (row, body) => ({ text: `same owner as parcel ${body[row.name]}` }),
  around: (row, body) => ({ text: aroundText(row, body) }),
  id: (row, body) => ({ text: `property ID ${body[row.name]}` }),
  plss: (row, body) => ({ lead: 'in', text: String(body[row.name]) }),
  apn: (row, body) => ({ text: `APN ${body[row.name]}` }),
  range: named(rangeText),
  frontage: named(rangeText),
  date_range: named(dateRange),
  min: named((row, body) => `at least ${bound(row, body[`${row.name}_min`])}`),
  max: (row, body) => ({ text: `${row.label.toLowerCase()} ${bound(row, body[`${row.name}_max`])}` }),
  list: named((row, body, words) =>
    listed(valuesOf(body, row.name).map((value) => words.valueLabel?.(row.name, String(value)) ?? value)),
  ),
  text: named((row, body) => String(body[row.name])),
  words: (row, body) => ({
    lead: row.name.includes('seller') ? 'seller' : 'owner',
    text: listed(valuesOf(body, row.name)),
  }),
  exclude_words: (row, body) => ({ lead: 'no', text: listed(valuesOf(body, row.name)) }),
  is: (row, body) => ({ text: `${body[row.name] === true ? '' : 'not '}${row.label.toLowerCase()}` }),
  choice: (row, body) => ({ text: `${body[row.name] === 'Y' ? '' : 'not '}${row.label.toLowerCase()}` }),
  only: (row) => ({ text: row.label.toLowerCase() }),
  exclude: (row) => ({ text: row.label.toLowerCase().replace(/^exclude /, 'not ') }),
  slope_area: (_row, body) => ({
    text: `at most ${formatPercent(body.slope_area_percent as number)} steeper than ${formatPercent(slopeEdgesPercent[body.slope_area_index as number] ?? 0)}`,
  }),
};

const outOf =
  (place: string): Say =>
  (row, body) => ({
    lead: 'owner',
    text: body[row.name] === true ? `out of ${place}` : `in the ${place}`,
  });

/** Filters with wording of their own. */
const special: Readonly<Record<string, Say>> = {
  acres: (_row, body) => {
    const text = (value: unknown) => (value === undefined ? undefined : formatNumber(value as number));
    return { lead: 'of', text: between(text(body.acres_min), text(body.acres_max), 'acres'), isClose: true };
  },
  out_of_state_owner: outOf('state'),
  out_of_county_owner: outOf('county'),
  out_of_zip_owner: outOf('ZIP'),
  exclude_corp_owner: () => ({ text: 'not a company' }),
  exclude_hoa_owner: () => ({ text: 'not an HOA' }),
  vacant_only: () => ({ text: 'vacant' }),
  only_landlocked: () => ({ text: 'landlocked' }),
  exclude_landlocked: () => ({ text: 'not landlocked' }),
  exclude_steep_slope: () => ({ text: 'not steep' }),
  flood_zone_percent: (_row, body) => ({
    text: `at most ${formatPercent(body.flood_zone_percent_max as number)} in a flood zone`,
  }),
  wetlands_percent: (_row, body) => ({
    text: `at most ${formatPercent(body.wetlands_percent_max as number)} wetlands`,
  }),
};
