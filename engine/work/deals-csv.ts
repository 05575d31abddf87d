/** The whole desk as a CSV: out with every column, in from any sheet with an APN. */
import type { Engine } from '../engine.ts';
import { byteOrderMark } from '../exporting/csv.ts';
import { csvCell } from '../exporting/text-cells.ts';
import { guessDate } from '../importing/values/parse-date.ts';
import { listDeals } from '../operations/list-deals.ts';
import { runAtHome } from '../operations/operation.ts';
import type { DealWish, LogLine } from '../operations/update-deal.ts';
import { dealColumns, readTimeline } from '../query/deals.ts';
import { dealStages, firstDealDay, lastDealDay, logKinds, stageLabel, stageNames, stageOfText } from '../spec/deals.ts';
import { type ErrorDetails, validationError } from '../spec/errors.ts';
import { neutralText, plainText } from '../spec/formula-cells.ts';
import { normalFips } from '../spec/value-schemas.ts';

/** What is written, in this order; `county` is its FIPS code. */
const columns = [
  ...['county', 'apn', 'owner_name', 'acres', 'situs_address'],
  ...dealColumns.filter((name) => name !== 'property_id'),
  ...['last_touch', 'timeline'],
];

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\r', '\\r').replaceAll('\n', '\\n');
const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, sign: string) => ({ n: '\n', r: '\r' })[sign] ?? sign);

/** `2026-11-23T09:12:00.000Z call: Wants 62,000`, oldest first, a line each. */
const lineOf = ({ at, what, detail }: LogLine): string =>
  `${at} ${what}${detail === null ? '' : `: ${escaped(detail)}`}`;

const line = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) ([a-z]+)(?:: (.*))?$/;

const kinds: readonly string[] = logKinds;

function timelineOf(text: string, problems: Problems): LogLine[] {
  return text.split(/\r?\n/).flatMap((one) => {
    const [, at = '', what = '', detail] = line.exec(one) ?? [];
    if (kinds.includes(what) && !Number.isNaN(Date.parse(at)))
      return [{ at, what, detail: detail === undefined ? null : unescaped(detail) }];
    problems.add('timeline', `expected lines like "${timelineExample}", found ${JSON.stringify(one.slice(0, 80))}`);
    return [];
  });
}

const timelineExample = '2026-11-23T09:12:00.000Z call: Wants 62,000';

/** The desk in every stage, with byte order mark, soonest next step first. */
export function dealsCsv(engine: Pick<Engine, 'land' | 'people' | 'account' | 'now'>): { text: string; deals: number } {
  const rows: string[] = [columns.join(',')];
  for (let page = 1; ; page++) {
    const { results, next } = runAtHome(listDeals, { stage: stageNames, page, page_size: 1000 }, engine);
    for (const deal of results) {
      const log = readTimeline(engine.account, deal.property_id).reverse();
      const cells: Readonly<Record<string, unknown>> = {
        ...deal,
        county: deal.fips,
        stage: stageLabel(deal.stage),
        timeline: log.map(lineOf).join('\n'),
      };
      rows.push(columns.map((name) => cellOf(cells[name])).join(','));
    }
    if (next === null) return { text: `${byteOrderMark}${rows.join('\r\n')}\r\n`, deals: rows.length - 1 };
  }
}

const cellOf = (value: unknown): string =>
  value === null || value === undefined ? '' : csvCell(typeof value === 'string' ? neutralText(value) : String(value));

/** Other headings that spreadsheets have, in letters alone. */
const headings: Readonly<Record<string, readonly string[]>> = {
  county: ['county', 'fips', 'countyfips'],
  apn: ['apn', 'parcel', 'parcelid', 'parcelnumber', 'parcelno', 'pin', 'taxid'],
  stage: ['stage', 'status'],
  since: ['since'],
  next_on: ['nexton', 'date', 'nextdate', 'nextstepdate', 'followup', 'followupdate', 'due', 'duedate'],
  next_what: ['nextwhat', 'nextstep', 'next', 'todo'],
  offer: ['offer', 'offerprice'],
  offer_formula: ['offerformula'],
  offered_on: ['offeredon', 'offerdate'],
  agreed: ['agreed', 'agreedprice'],
  note: ['note', 'notes', 'comment', 'comments'],
  timeline: ['timeline'],
};

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]+/g, '');

export interface CsvDeal {
  readonly apn: string;
  readonly fips: string | null;
  readonly wish: DealWish;
  readonly timeline: readonly LogLine[] | null;
}

type FileRow = Readonly<Record<string, unknown>>;

const mostNamed = 5;

/** What could not be read, by column: the first few of each. */
class Problems {
  readonly #found = new Map<string, Set<string>>();

  add(column: string, words: string): void {
    this.#found.set(column, (this.#found.get(column) ?? new Set()).add(words));
  }

  /** @throws EngineError validation_error */
  refuse(): void {
    if (this.#found.size === 0) return;
    const details: ErrorDetails = {};
    for (const [column, words] of this.#found) {
      const named = [...words].slice(0, mostNamed);
      details[column] = words.size > named.length ? [...named, `and ${words.size - named.length} more`] : named;
    }
    throw validationError(details);
  }
}

/**
 * @param stages words of the file for stages
 * @throws EngineError validation_error for a file without an APN, an unknown stage, a day or number that is none
 */
export function dealsOfRows(
  rows: readonly FileRow[],
  stages: Readonly<Record<string, string>>,
): { readonly deals: CsvDeal[]; readonly blank: number } {
  const names = Object.keys(rows.find((row) => Object.keys(row).length > 1) ?? rows[0] ?? {});
  const columnOf = new Map(
    Object.entries(headings).flatMap(([field, known]) => {
      const name = known
        .map((one) => names.find((heading) => letters(heading) === one))
        .find((one) => one !== undefined);
      return name === undefined ? [] : [[field, name] as const];
    }),
  );
  if (!columnOf.has('apn'))
    throw validationError({ apn: [`expected a column APN, found ${names.slice(0, mostNamed).join(', ') || 'none'}`] });
  const problems = new Problems();
  const words = new Map(Object.entries(stages).map(([word, stage]) => [letters(word), stage]));
  const deals: CsvDeal[] = [];
  let blank = 0;
  for (const row of rows) {
    const cell = (field: string): string | null => {
      const value = row[columnOf.get(field) ?? ''];
      return value === null || value === undefined ? null : plainText(String(value)).trim() || null;
    };
    const apn = cell('apn');
    if (apn === null) {
      blank += 1;
      continue;
    }
    const county = cell('county');
    const log = cell('timeline');
    deals.push({
      apn,
      fips: county !== null && /^\d{4,5}$/.test(county) ? normalFips(county) : null,
      wish: wishOf(cell, columnOf, words, problems),
      timeline: log === null ? null : timelineOf(log, problems),
    });
  }
  problems.refuse();
  return { deals, blank };
}

function wishOf(
  cell: (field: string) => string | null,
  columnOf: ReadonlyMap<string, string>,
  words: ReadonlyMap<string, string>,
  problems: Problems,
): DealWish {
  const day = (field: string): string | null => {
    const text = cell(field);
    const found = text === null ? null : guessDate(text);
    if (text !== null && (found === null || found < firstDealDay || found > lastDealDay))
      problems.add(field, `expected a day from ${firstDealDay} to ${lastDealDay}, found ${JSON.stringify(text)}`);
    return found;
  };
  const dollars = (field: string): number | null => {
    const text = cell(field);
    const number = text === null ? null : Number(text.replace(/[$,\s]/g, ''));
    if (number !== null && !(number >= 0 && number <= 1e10))
      problems.add(field, `expected dollars from 0, found ${JSON.stringify(text)}`);
    return number === null ? null : Math.round(number);
  };
  const stage = (): DealWish => {
    const text = cell('stage');
    if (text === null) return {};
    const found = stageOfText(words.get(letters(text)) ?? text);
    if (found) return { stage: found };
    problems.add(
      'stage',
      `expected one of ${dealStages.map(({ label }) => label).join(', ')}, found ${JSON.stringify(text)}`,
    );
    return {};
  };
  const readers: Readonly<Record<string, () => unknown>> = {
    since: () => day('since'),
    next_on: () => day('next_on'),
    next_what: () => cell('next_what'),
    offer: () => dollars('offer'),
    offer_formula: () => cell('offer_formula'),
    offered_on: () => day('offered_on'),
    agreed: () => dollars('agreed'),
    note: () => cell('note'),
  };
  const read = Object.entries(readers).flatMap(([field, value]) => {
    const found = columnOf.has(field) ? value() : null;
    // An empty cell leaves what stands.
    return found === null ? [] : [[field, found]];
  });
  return { ...stage(), ...(Object.fromEntries(read) as DealWish) };
}
