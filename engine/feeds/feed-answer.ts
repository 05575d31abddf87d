/**
 * The answer of a feed: the whole result at once, charged like its operation, but at most once a day for each state of
 * the data, however often a spreadsheet fetches it.
 */
import { createHash } from 'node:crypto';
import type { Feed, FeedFormat } from '../account/feed-store.ts';
import type { Caller, Engine } from '../engine.ts';
import { writeCsvFeed } from '../exporting/csv.ts';
import type { ExportValue } from '../exporting/export-columns.ts';
import { type ExportSource, openExportSource } from '../exporting/export-source.ts';
import { writeGeoJsonTo } from '../exporting/geojson.ts';
import { sortedByPlaceNote, writeGeoParquetTo } from '../exporting/geoparquet.ts';
import { MemorySink } from '../exporting/memory-sink.ts';
import { writeXlsxTo } from '../exporting/xlsx.ts';
import type { ValueField } from '../operations/feed-fields.ts';
import { type Comp, compSchema, listComps } from '../operations/list-comps.ts';
import { parseOrdering } from '../operations/parcel-list.ts';
import { type DoNotMail, keptBackIds, readDoNotMail } from '../query/do-not-mail.ts';
import { parseLiveRequest } from '../query/live-request.ts';
import { liveIds } from '../query/live-rows.ts';
import { EngineError } from '../spec/errors.ts';
import type { LandStore } from '../store/land-store.ts';
import { dataGeneration } from './data-generation.ts';
import type { AskedFeed } from './feed-parameters.ts';

/** A spreadsheet would wait too long for more; an export has no such limit. */
const mostParcels = 250_000;

interface FeedBody {
  readonly body: Buffer;
  readonly tokens: number;
  readonly rows: number;
  /** What the rows do not show, as beside the operation's answer. */
  readonly notices: readonly string[];
}

type Made = Pick<FeedBody, 'body' | 'rows'>;

/**
 * An ETag that changes whenever the answer may: with the data and, if the answer depends on them, the day and Do not
 * mail.
 */
export function feedTag({ land, account, now }: Engine, feed: AskedFeed, format: FeedFormat): string {
  const parts = [
    feed.feed_id,
    feed.input,
    ...(feed.box === undefined ? [] : [feed.box]),
    format,
    dataGeneration(land),
    feed.kind === 'search' ? '' : dayOf(now()),
    ...(feed.leaves_out_do_not_mail ? [doNotMailKeys(readDoNotMail(account))] : []),
  ];
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}"`;
}

const doNotMailKeys = ({ mailingKeys, ownerKeys }: DoNotMail): string[][] => [
  [...mailingKeys].sort(),
  [...ownerKeys].sort(),
];

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/** The idempotency key lasts for one day and one state of the data, and for one parcel; repeats are not charged. */
const callerOf = (engine: Engine, { feed_id: id, kind, input }: Feed, requestId: string): Caller => ({
  mode: 'feed',
  requestId,
  idempotencyKey: `feed-${id}-${kind === 'value' ? `${input.id}-` : ''}${dayOf(engine.now())}-${dataGeneration(engine.land)}`,
});

/**
 * The latest answers by their tags, which change whenever the answer may. They serve programs that read a file in pieces
 * (GDAL over HTTP).
 */
class KeptBodies {
  readonly #kept = new Map<string, Made>();

  get(tag: string): Made | undefined {
    return this.#kept.get(tag);
  }

  keep(tag: string, { body, rows }: Made): void {
    this.#kept.delete(tag);
    if (body.length > mostKeptBytes) return;
    this.#kept.set(tag, { body, rows });
    let bytes = 0;
    for (const [each, answer] of [...this.#kept].reverse()) {
      bytes += answer.body.length;
      if (bytes > mostKeptBytes) this.#kept.delete(each);
    }
  }
}

const mostKeptBytes = 32 * 1024 * 1024;
const keptBodies = new WeakMap<Engine, KeptBodies>();

function bodiesOf(engine: Engine): KeptBodies {
  const known = keptBodies.get(engine) ?? new KeptBodies();
  keptBodies.set(engine, known);
  return known;
}

/**
 * @param tag from `feedTag`, under which the answer is kept
 * @throws EngineError like the operation; validation_error for more than 250,000 parcels
 */
export async function answerFeed(
  engine: Engine,
  feed: AskedFeed,
  format: FeedFormat,
  tag: string,
  requestId: string,
): Promise<FeedBody> {
  const caller = callerOf(engine, feed, requestId);
  const answer = await (feed.kind === 'search'
    ? answerSearch(engine, feed, format, caller, tag)
    : feed.kind === 'comps'
      ? answerComps(engine, feed, format, caller)
      : answerValue(engine, feed, caller));
  bodiesOf(engine).keep(tag, answer);
  return answer;
}

/**
 * The length of the answer in bytes; free. Programs that read a file in pieces ask for it first.
 * @param tag from `feedTag`
 * @returns null for comps and values without an answer today, because making one is charged
 */
export async function feedLength(
  engine: Engine,
  feed: AskedFeed,
  format: FeedFormat,
  tag: string,
): Promise<number | null> {
  const kept = bodiesOf(engine).get(tag);
  if (kept) return kept.body.length;
  if (feed.kind !== 'search') return null;
  const made = await makeSearch(engine, feed, format, searchIds(engine, feed));
  bodiesOf(engine).keep(tag, made);
  return made.body.length;
}

async function answerSearch(
  engine: Engine,
  feed: AskedFeed,
  format: FeedFormat,
  caller: Caller,
  tag: string,
): Promise<FeedBody> {
  // Runs before the charge, because a refusal is free. Synchronous, so it reads the data that the key stands for.
  const found = searchIds(engine, feed);
  const kept = bodiesOf(engine).get(tag);
  // Also for a box: a day's charge is of the whole result, and each part of it is free then.
  const asked = { ...feed.input, page_size: 1 };
  const { tokens, notices } = await engine.callUnchecked('filter_properties', asked, caller);
  const told = format === 'parquet' && feed.ordering ? [...notices, sortedByPlaceNote] : notices;
  return { ...(kept ?? (await makeSearch(engine, feed, format, found))), tokens, notices: told };
}

/** @throws EngineError validation_error for more than 250,000 parcels */
function searchIds({ land }: Engine, { input, ordering, box }: AskedFeed): readonly number[] {
  const all = liveIds(land, parseLiveRequest(input), parseOrdering(ordering ?? undefined));
  const found = box === undefined ? all : within(land, input, box, all);
  refuseTooMany(found.length);
  return found;
}

/** Asked twice, because the search may have an area of its own. */
function within(land: LandStore, input: Feed['input'], box: string, all: readonly number[]): readonly number[] {
  const inside = new Set(liveIds(land, parseLiveRequest({ ...input, geom_intersects: box }), null));
  return all.filter((id) => inside.has(id));
}

async function makeSearch(
  engine: Engine,
  { name, columns, leaves_out_do_not_mail: leavesOut }: Feed,
  format: FeedFormat,
  found: readonly number[],
): Promise<Made> {
  const kept = leavesOut ? keptBackIds(engine, found) : new Set<number>();
  const ids = kept.size === 0 ? found : found.filter((id) => !kept.has(id));
  const source = openExportSource(engine.home, {
    title: name,
    ids,
    now: engine.now(),
    ...(columns ? { columns } : {}),
  });
  try {
    return { body: await written(source, format), rows: source.count };
  } finally {
    source.close();
  }
}

async function written(source: ExportSource, format: FeedFormat): Promise<Buffer> {
  const sink = new MemorySink();
  if (format === 'geojson') await writeGeoJsonTo(source, sink);
  else if (format === 'xlsx') await writeXlsxTo(source, sink);
  else if (format === 'parquet') await writeGeoParquetTo(source, sink);
  else await writeCsvFeed(source, sink);
  return sink.bytes();
}

function refuseTooMany(count: number): void {
  if (count <= mostParcels) return;
  throw new EngineError(
    'validation_error',
    `This feed has ${count.toLocaleString('en-US')} parcels; the limit of a feed is ${mostParcels.toLocaleString('en-US')}. Narrow its search.`,
  );
}

/**
 * The price is per row: all rows are charged at once, so that reaching the cap halfway does not cost tokens for no
 * answer.
 */
async function answerComps(engine: Engine, feed: Feed, format: FeedFormat, caller: Caller): Promise<FeedBody> {
  const { data, tokens, notices } = await engine.whole('list_comps', feed.input, caller);
  const comps = data.results;
  const body =
    format === 'geojson'
      ? Buffer.from(compsGeoJson(feed.name, comps))
      : await written(compSource(feed.name, comps, engine.now()), format);
  return { body, tokens, notices, rows: comps.length };
}

/** Comps as a source of an export, for the formats without points. */
function compSource(title: string, comps: Comp[], madeAt: Date): ExportSource {
  const { columns, rows } = listComps.table as NonNullable<typeof listComps.table>;
  const table = rows({ count: comps.length, next: null, previous: null, results: comps });
  return {
    title,
    columns: columns.map((name) => ({ name, label: name, docs: docsOf(name), kind: 'text' })),
    count: table.length,
    noun: 'comps',
    madeAt,
    sources: [],
    async *batches() {
      yield table.map((row, id) => ({
        id,
        values: columns.map((name) => numberOrValue(name, row[name] as ExportValue)),
        shape: null,
        point: null,
        name: '',
      }));
    },
    close: () => {},
  };
}

const docsOf = (name: string): string =>
  (compSchema.properties as Readonly<Record<string, { readonly description?: string }>>)[name]?.description ?? '';

/** The service gives coordinates as texts; in a table they are numbers. */
const numberOrValue = (name: string, value: ExportValue): ExportValue =>
  name === 'latitude' || name === 'longitude' ? Number(value) : value;

const compsGeoJson = (name: string, comps: readonly Comp[]): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    name,
    features: comps.map(({ latitude, longitude, photos: _photos, ...properties }) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Point', coordinates: [Number(longitude), Number(latitude)] },
    })),
  });

async function answerValue(engine: Engine, { input }: Feed, caller: Caller): Promise<FeedBody> {
  const { id, field } = input as { id: number; field: ValueField };
  const { data, tokens, notices } = await engine.call('get_property_ai_comp_value', { id }, caller);
  const value = data[field];
  // One decimal is enough for a cell.
  const text = value === null ? '' : String(Math.round(value * 10) / 10);
  return { body: Buffer.from(text), tokens, notices, rows: 1 };
}
