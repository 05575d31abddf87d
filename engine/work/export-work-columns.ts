/**
 * The user's own work as columns of an export: stars, tags, notes, paid values and phones. Columns that would be empty
 * for all exported parcels are left out.
 */
import type { Engine } from '../engine.ts';
import type { ExportColumn, ExportValue } from '../exporting/export-columns.ts';
import type { WorkColumns } from '../exporting/export-source.ts';
import type { SkipTraceResult } from '../operations/skip-trace-owner.ts';
import { getTracedOwner } from '../operations/skip-trace-property-owner.ts';
import { readDeals } from '../query/deals.ts';
import { stageLabel, stageNames } from '../spec/deals.ts';
import { EngineError } from '../spec/errors.ts';
import { keptBackIds } from './do-not-mail.ts';
import type { ShownValue } from './shown-value.ts';
import { parcelSubject } from './store-traces.ts';

type Home = Pick<Engine, 'land' | 'people' | 'account'>;

interface WorkWish {
  readonly ids: readonly number[];
  /** The list whose mailing days and offers are included. */
  readonly listId?: number;
  /** Leaves out numbers on the Do Not Call registry and those of unknown status, unless false. */
  readonly leavesOutUnsafePhones: boolean;
}

const mostPhones = 6;

const column = (name: string, label: string, kind: ExportColumn['kind'], docs: string): ExportColumn => ({
  name,
  label,
  kind,
  docs,
});

/** One for each phone, best first. */
const phoneColumns = (place: number): ExportColumn[] => [
  column(`phone_${place}`, `Phone ${place}`, 'text', 'From the contacts that you imported, as a skip trace found it.'),
  column(`phone_${place}_type`, `Phone ${place} type`, 'text', 'Mobile, Landline or Unknown.'),
  column(
    `phone_${place}_dnc`,
    `Phone ${place} DNC`,
    'text',
    'On the federal Do Not Call registry: Yes, No or Unknown. Unknown is not safe to call.',
  ),
];

const columns: readonly ExportColumn[] = [
  column('starred', 'Starred', 'boolean', 'Whether you starred it.'),
  column('tags', 'Tags', 'text', 'Your tags, separated by semicolons.'),
  column('notes', 'Notes', 'text', 'Your notes, oldest first, each with its day.'),
  column('do_not_mail', 'Do not mail', 'boolean', 'Whether its owner must not get letters.'),
  column('mailed_on', 'Mailed on', 'date', 'The day on which a letter went out, as noted in the list.'),
  column('value', 'Value, $', 'integer', 'The comp value you paid for. A research indication, not an appraisal.'),
  column('value_low', 'Value from, $', 'integer', 'Low end of its range.'),
  column('value_high', 'Value to, $', 'integer', 'High end of its range.'),
  column('valued_on', 'Valued on', 'date', 'The day of that value.'),
  column(
    'offer',
    'Offer, $',
    'integer',
    'The offer of its deal; without one, your percentage of the value, as set in the list.',
  ),
  column('stage', 'Stage', 'text', 'The stage of its deal.'),
  column('next_on', 'Next step on', 'date', 'The day of the deal’s next step.'),
  column('next_what', 'Next step', 'text', 'The deal’s next step.'),
  column('agreed', 'Agreed, $', 'integer', 'The price agreed on.'),
  column('last_touch', 'Last touch', 'date', 'The day of the latest entry in the deal’s timeline.'),
  ...Array.from({ length: mostPhones }, (_, i) => phoneColumns(i + 1)).flat(),
];

/** All of their names, whether or not an export has values for them. */
export const workColumnNames: ReadonlySet<string> = new Set(columns.map(({ name }) => name));

type Values = Record<string, ExportValue>;

/** @returns null if none of them has values */
export function exportWorkColumns(engine: Home, wish: WorkWish): WorkColumns | null {
  const known = gather(engine, wish);
  const used = columns.filter(({ name }) => [...known.values()].some((values) => (values[name] ?? null) !== null));
  if (used.length === 0) return null;
  return {
    columns: used,
    valuesOf: (ids) =>
      new Map(
        ids.flatMap((id) => {
          const values = known.get(id);
          return values ? [[id, used.map(({ name }) => values[name] ?? null)] as const] : [];
        }),
      ),
  };
}

/** Read at once, for one consistent moment: the user's own work is small. */
function gather(engine: Home, wish: WorkWish): ReadonlyMap<number, Values> {
  const known = new Map<number, Values>();
  const wanted = new Set(wish.ids);
  const put = (id: number, values: Values): void => {
    if (wanted.has(id)) known.set(id, { ...known.get(id), ...values });
  };
  engine.account.file.snapshot(() => {
    putMarks(engine, put);
    putValues(engine, put, offerPercent(engine, wish.listId));
    if (wish.listId !== undefined) putMailed(engine, put, wish.listId);
    putDeals(engine, put);
  });
  putDoNotMail(engine, put, wish.ids);
  putPhones(engine, put, wanted, wish.leavesOutUnsafePhones);
  return known;
}

type Put = (id: number, values: Values) => void;

interface TextRow {
  readonly property_id: number;
  readonly text: string;
}

function putMarks({ account: { file } }: Home, put: Put): void {
  for (const id of file.column<number>('SELECT property_id FROM stars')) put(id, { starred: true });
  const tags = file.all<TextRow>(
    `SELECT property_id, group_concat(name, '; ' ORDER BY name) AS text FROM parcel_tags JOIN tags USING (tag_id) GROUP BY property_id`,
  );
  for (const { property_id: id, text } of tags) put(id, { tags: text });
  const notes = file.all<TextRow>(
    `SELECT property_id, group_concat(substr(made_at, 1, 10) || ': ' || text, char(10) ORDER BY note_id) AS text FROM notes GROUP BY property_id`,
  );
  for (const { property_id: id, text } of notes) put(id, { notes: text });
}

const offerPercent = ({ account: { file } }: Home, listId: number | undefined): number | null =>
  listId === undefined
    ? null
    : (file.get<{ percent: number | null }>('SELECT offer_percent AS percent FROM lists WHERE list_id = ?', listId)
        ?.percent ?? null);

function putValues({ account: { file } }: Home, put: Put, percent: number | null): void {
  const rows = file.iterate<{ property_id: number; valued_at: string; explained: string }>(
    'SELECT property_id, valued_at, explained FROM stored_values',
  );
  for (const { property_id: id, valued_at: at, explained } of rows) {
    const { numbers, range } = JSON.parse(explained) as ShownValue;
    const value = numbers.mean_adjusted_price;
    put(id, {
      value: Math.round(value),
      value_low: Math.round(range.low),
      value_high: Math.round(range.high),
      valued_on: at.slice(0, 10),
      offer: percent === null ? null : Math.round((value * percent) / 100),
    });
  }
}

function putDeals({ account }: Home, put: Put): void {
  for (const deal of readDeals(account, { stage: stageNames })) {
    const { property_id: id, stage, next_on, next_what, offer, agreed, last_touch } = deal;
    const own = offer === null ? {} : { offer };
    put(id, { ...own, stage: stageLabel(stage), next_on, next_what, agreed, last_touch });
  }
}

function putMailed({ account: { file } }: Home, put: Put, listId: number): void {
  const rows = file.all<{ property_id: number; mailed_on: string }>(
    'SELECT property_id, mailed_on FROM list_members WHERE list_id = ? AND mailed_on IS NOT NULL',
    listId,
  );
  for (const { property_id: id, mailed_on: day } of rows) put(id, { mailed_on: day });
}

function putDoNotMail(engine: Home, put: Put, ids: readonly number[]): void {
  for (const id of keptBackIds(engine, ids)) put(id, { do_not_mail: true });
}

const dncWords = (dnc: boolean | null): string => (dnc === null ? 'Unknown' : dnc ? 'Yes' : 'No');

function putPhones(engine: Home, put: Put, wanted: ReadonlySet<number>, leavesOut: boolean): void {
  const rows = engine.people.file.iterate<{ subject: string; asked: string; result: string }>(
    "SELECT subject, asked, result FROM stored_traces WHERE subject GLOB 'parcel [0-9]*'",
  );
  for (const { subject, asked, result } of rows) {
    const id = Number(subject.slice(parcelSubject(0).length - 1));
    if (!wanted.has(id) || !isStillOwner(engine, id, asked)) continue;
    const { phones } = JSON.parse(result) as SkipTraceResult;
    const shown = phones.filter(({ dnc }) => !leavesOut || dnc === false).slice(0, mostPhones);
    const values = shown.flatMap(({ number, line_type: type, dnc }, i): [string, ExportValue][] => [
      [`phone_${i + 1}`, number],
      [`phone_${i + 1}_type`, type ?? 'Unknown'],
      [`phone_${i + 1}_dnc`, dncWords(dnc)],
    ]);
    put(id, Object.fromEntries(values));
  }
}

/** A former owner's numbers would be called in vain, or worse. */
function isStillOwner({ land }: Home, id: number, asked: string): boolean {
  const plain = (person: object): string => JSON.stringify(Object.entries(person).sort());
  try {
    return plain(JSON.parse(asked) as object) === plain(getTracedOwner(id, { land }));
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
