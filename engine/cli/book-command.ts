/** `platbook book`: the printed plat book. */
import fs from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { type BookRequest, bookFields, bookOptions, choiceFields } from '../book/book-fields.ts';
import { estimateBook } from '../book/estimate-book.ts';
import type { WrittenBook } from '../book/write-book.ts';
import type { Engine } from '../engine.ts';
import { EngineError } from '../spec/errors.ts';
import { classWords } from '../spec/holding-classes.ts';
import { sheetScales } from '../spec/sheet-paper.ts';
import { nearNames } from '../spec/validate.ts';
import { bookChoice } from '../work/book-choice.ts';
import { bookWords } from '../work/book-words.ts';
import { parseFips, parseJson } from './arguments.ts';
import { chosenParcels } from './export-commands.ts';
import { withEngine } from './home.ts';
import { runJob } from './job-run.ts';
import { grouped, type Output } from './output.ts';
import { paperOf, parseScale } from './paper-options.ts';

interface BookFlags {
  readonly county?: string;
  readonly filter?: string;
  readonly search?: string;
  readonly list?: string;
  readonly area?: string;
  readonly scale?: string;
  readonly paper?: string;
  readonly landscape?: boolean;
  readonly details?: string;
  readonly pages?: string;
  readonly pagesName?: string;
  /** False: --no-names. */
  readonly names: boolean;
  readonly title?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const usage = (message: string): EngineError => new EngineError('usage', message);
const help = (name: keyof typeof bookFields): string =>
  (bookFields[name] as { description?: string }).description ?? '';

export function addBookCommand(program: Command, output: Output): void {
  program
    .command('book <file>')
    .addOption(new Option('--county <fips>', 'its parcels; without any choice all of the home').argParser(parseFips))
    .option('--filter <json>', 'parcels of a filter body')
    .option('--search <name>', 'parcels of a saved search')
    .option('--list <name>', 'parcels of a list')
    .option('--area <file>', 'parcels that meet the area of a GeoJSON or WKT file')
    .option('--scale <number>', 'auto (the default), or 24000 for 1:24,000')
    .option('--paper <name>', help('paper'))
    .option('--landscape', help('landscape'))
    .option('--details <scale>', '6000 (the default) and the like: the largest scale of details; or none')
    .option(
      '--pages <file>',
      'grid (the default); townships, one page each; or a GeoJSON file with the areas of the pages',
    )
    .option('--pages-name <column>', 'of that file: the column with the names of the pages (default: name)')
    .option('--no-names', 'leave owners out: parcel numbers stand for them')
    .option('--title <text>', help('title'))
    .option('--dry-run', 'only say how many pages it would have, and about what size')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `\nUsual scales: ${sheetScales.map((scale) => `1:${grouped(scale)}`).join(', ')}\n\nExample:\n  platbook book county.pdf --county 33019 --dry-run\n  platbook book town.pdf --county 33019 --scale 24000 --paper letter`,
    )
    .action((file: string, flags: BookFlags, self: Command) =>
      withEngine(self, output, (engine) => printBook(engine, file, flags, output)),
    );
}

async function printBook(engine: Engine, file: string, flags: BookFlags, output: Output): Promise<void> {
  const request = requestOf(engine, flags);
  if (flags.dryRun) {
    const { frames, land: _land, ...estimate } = estimateBook(engine.land, bookOptions(request, engine.now()));
    if (flags.json) return output.print(JSON.stringify({ ...estimate, names: frames.map(({ name }) => name) }));
    const { scale, parcels, map_pages: maps, detail_pages: details, pages, bytes } = estimate;
    output.print(
      `${grouped(parcels)} parcels at 1:${grouped(scale)}: ${grouped(maps)} map pages, about ${grouped(details)} details, about ${grouped(pages)} pages and ${megabytes(bytes)} in all`,
    );
    return;
  }
  const report = (await runJob(engine, output, 'plat_book', {
    ...request,
    to: path.resolve(file),
  } as never)) as WrittenBook;
  output.print(flags.json ? JSON.stringify(report) : reportText(report));
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function reportText({
  file,
  bytes,
  pages,
  scale,
  classes,
  holdings,
  has_names: hasNames,
  notes,
  ...report
}: WrittenBook): string {
  const things = hasNames ? 'holdings' : 'parcels';
  return [
    `${file}: ${grouped(pages)} pages, ${grouped(report.map_pages)} maps at 1:${grouped(scale)} and ${grouped(report.detail_pages)} details, ${megabytes(bytes)}`,
    `  ${grouped(holdings)} ${things}: ${classWords(classes, hasNames)}`,
    ...notes.map((note) => `  ${note}`),
  ].join('\n');
}

/** @throws EngineError usage, validation_error */
function requestOf(engine: Engine, flags: BookFlags): BookRequest {
  const { county, area, filter, search, list } = flags;
  const given = [county, area, filter, search, list].filter((one) => one !== undefined);
  if (given.length > 1) throw usage('expected at most one of --county, --filter, --search, --list and --area');
  const paper = flags.paper === undefined ? undefined : paperOf(flags.paper);
  const scale = flags.scale === undefined || flags.scale === 'auto' ? undefined : parseScale(flags.scale);
  const details = flags.details === undefined ? undefined : detailsOf(flags.details);
  return {
    ...(county === undefined ? {} : { counties: [county] }),
    ...choiceOf(engine, flags),
    ...(flags.pages !== undefined && { pages: pagesOf(flags.pages, flags.pagesName) }),
    ...(scale === undefined ? {} : { scale }),
    ...(paper && { paper }),
    ...(flags.landscape && { landscape: true }),
    ...(details === undefined ? {} : { details }),
    names: flags.names,
  };
}

function detailsOf(text: string): number {
  if (text === 'none') return 0;
  try {
    return parseScale(text);
  } catch {
    const near = nearNames(text, ['none']).length > 0 ? '; did you mean none?' : '';
    throw usage(`--details: expected none or a scale like 6000, found ${JSON.stringify(text)}${near}`);
  }
}

function choiceOf(engine: Engine, { filter, search, list, area, title, names }: BookFlags): Partial<BookRequest> {
  const body = area === undefined ? filter : JSON.stringify({ geom_intersects: areaOf(area) });
  if (body === undefined && search === undefined && list === undefined) return title === undefined ? {} : { title };
  const chosen = chosenParcels(engine, {
    ...(body === undefined ? {} : { filter: body }),
    ...(search === undefined ? {} : { search }),
    ...(list === undefined ? {} : { list }),
  });
  // A saved search has a name of its own.
  const given = title ?? (search === undefined ? undefined : chosen.title);
  return {
    ...choiceFields(bookChoice(engine, chosen.what)),
    ...bookWords(engine, chosen.what, { ...(given !== undefined && { title: given }), names }),
  };
}

/** @throws EngineError usage, file_missing */
function pagesOf(given: string, column = 'name'): NonNullable<BookRequest['pages']> {
  if (given === 'grid' || given === 'townships') return given;
  const [near] = nearNames(given, ['grid', 'townships']);
  if (!fs.existsSync(given) && near) throw usage(`--pages: there is no file ${given}; did you mean ${near}?`);
  const features = featuresIn(parseJson(fileText('--pages', given)));
  // A page of several features, like an island apart, has one name.
  const byName = new Map<string, Shape[]>();
  for (const [at, { geometry, properties }] of features.entries()) {
    const name = nameIn(properties ?? {}, column) ?? String(at + 1);
    byName.set(name, [...(byName.get(name) ?? []), ...(geometry ? [geometry] : [])]);
  }
  const pages = [...byName].map(([name, shapes]) => ({
    name,
    geometry: { type: 'MultiPolygon', coordinates: shapes.flatMap(polygonsIn) },
  }));
  if (pages.length === 0)
    throw usage(`--pages: expected features with polygons, found none in ${path.basename(given)}`);
  return pages;
}

function nameIn(properties: Readonly<Record<string, unknown>>, column: string): string | null {
  const key = Object.keys(properties).find((one) => one.toLowerCase() === column.toLowerCase());
  const value = key === undefined ? null : properties[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 24) || null : null;
}

const featuresIn = (value: unknown): readonly Shape[] => {
  const { type, features, geometry } = (value ?? {}) as Shape;
  if (features) return features;
  return geometry ? [value as Shape] : type === undefined ? [] : [{ geometry: value as Shape }];
};

/** @throws EngineError file_missing */
function fileText(option: string, file: string): string {
  if (!fs.existsSync(file)) throw new EngineError('file_missing', `${option}: there is no file ${file}.`);
  return fs.readFileSync(file, 'utf8').trim();
}

type Position = readonly [number, number, ...number[]];

/** WKT of a file with WKT or GeoJSON polygons. @throws EngineError usage, file_missing */
function areaOf(file: string): string {
  const text = fileText('--area', file);
  if (!text.startsWith('{')) return text;
  const polygons = polygonsIn(parseJson(text));
  if (polygons.length === 0) throw usage(`--area: expected polygons, found none in ${path.basename(file)}`);
  const rings = (polygon: readonly (readonly Position[])[]) =>
    `(${polygon.map((ring) => `(${ring.map(([x, y]) => `${x} ${y}`).join(', ')})`).join(', ')})`;
  return `MULTIPOLYGON (${polygons.map(rings).join(', ')})`;
}

interface Shape {
  readonly type?: string;
  readonly coordinates?: unknown;
  readonly geometry?: Shape | null;
  readonly geometries?: readonly Shape[];
  readonly features?: readonly Shape[];
  readonly properties?: Readonly<Record<string, unknown>> | null;
}

function polygonsIn(value: unknown): readonly (readonly Position[])[][] {
  const { type, coordinates, geometry, geometries, features } = (value ?? {}) as Shape;
  if (type === 'Polygon') return [coordinates as (readonly Position[])[]];
  if (type === 'MultiPolygon') return coordinates as (readonly Position[])[][];
  return [...(geometry ? [geometry] : []), ...(geometries ?? []), ...(features ?? [])].flatMap(polygonsIn);
}
