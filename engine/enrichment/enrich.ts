/**
 * Enriches a county's parcels from a layer (roads, wetlands, flood zones, buildings, elevation, school districts, ZIPs), or
 * keeps a layer that is only drawn (map-layer.ts).
 * The layer stays in the land file, for the map and for later imports; a county has one layer of a kind, which a newer file
 * replaces. All changes are one transaction.
 */
import path from 'node:path';
import type { MultiPolygon } from '../geo/geometry.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { readingOf } from '../importing/formats/parcel-source.ts';
import { type LookedColumn, look } from '../importing/look.ts';
import { findDatasetDate } from '../importing/stage/dataset-date.ts';
import { counted } from '../spec/counted.ts';
import { defined } from '../spec/defined.ts';
import { EngineError } from '../spec/errors.ts';
import { contentWords, otherContent } from '../spec/layer-likeness.ts';
import { isMapOnly } from '../spec/layer-titles.ts';
import { parseRoadClasses, proposeRoadClasses, roadClassesText, roadClassWords } from '../spec/road-words.ts';
import { foldSpaces } from '../spec/text-fold.ts';
import { normalFips } from '../spec/value-schemas.ts';
import type { LandStore } from '../store/land-store.ts';
import type { ComputeContext, ParcelFinding } from './compute.ts';
import { computeCounty } from './compute-county.ts';
import { type CountyParcels, countyParcels, parcelChunks, roadParcelsByUse } from './county-parcels.ts';
import { type Coverage, declaredCoverage } from './coverage.ts';
import { type EnrichOptions, type EnrichReport, progressOf, type RunOptions } from './enrich-options.ts';
import { enrichFromRaster } from './enrich-raster.ts';
import { defaultSettings, type EnrichmentSettings, expectSettings } from './enrichment-settings.ts';
import { findLandlocked } from './landlocked.ts';
import { layerKindNames, layerKinds } from './layer-kinds.ts';
import { findLayer, type LayerPlan, reportOf, StagedFeatures } from './layer-rows.ts';
import { keepMapLayer } from './map-layer.ts';
import type { ReadLayer } from './read-layer.ts';
import { unknownRoad } from './road-classes.ts';
import { stageLayer } from './stage-layer.ts';
import { storeLayer } from './store-layer.ts';

export type { EnrichOptions, EnrichProgress, EnrichReport } from './enrich-options.ts';

/** Fewer parcels are computed faster than a thread starts. */
const minParcelsForThreads = 5000;
/** Land stores with a running enrichment, whose temporary table exists once per connection. */
const busy = new WeakSet<LandStore>();

/** Runs `work` if no other enrichment runs on this store. @throws EngineError file_locked if one does */
export async function alone<Result>(land: LandStore, work: () => Promise<Result>): Promise<Result> {
  if (busy.has(land))
    throw new EngineError('file_locked', 'Another layer is being computed. Try again when it is done.');
  busy.add(land);
  try {
    return await work();
  } finally {
    busy.delete(land);
  }
}

/**
 * @throws EngineError import_refused, file_missing, file_locked, or the error of the signal or `onProgress`; nothing is
 *   changed then
 */
export function enrich(land: LandStore, options: EnrichOptions): Promise<EnrichReport> {
  return alone(land, async () => {
    const plan = planLayer(land, options);
    if (isMapOnly(plan.kind)) return keepMapLayer(land, plan, options);
    return plan.kind === 'slope' ? enrichFromRaster(land, plan, options) : enrichFromFeatures(land, plan, options);
  });
}

function planLayer(land: LandStore, options: EnrichOptions): LayerPlan {
  const { kind, file, source, date, settings, now } = options;
  const fips = normalFips(options.fips);
  if (!land.county(fips)) {
    throw new EngineError('import_refused', `No county has the FIPS code ${JSON.stringify(options.fips)}.`);
  }
  if (!layerKindNames.includes(kind)) {
    throw new EngineError(
      'import_refused',
      `Expected a layer of ${layerKindNames.join(', ')}, found ${JSON.stringify(kind)}.`,
    );
  }
  const { look, nameField, color } = options;
  const given = { ...settings, ...chosenClasses(options), ...defined({ look, nameField, color }) };
  expectSettings(given);
  return {
    fips,
    kind,
    title: isMapOnly(kind) ? titleOf(options) : '',
    source_name: source ?? path.basename(file),
    source_date: date ?? findDatasetDate([file], null, now()),
    settings: { ...defaultSettings, ...classesOfBefore(land, fips, options, given), ...given },
  };
}

/** @throws EngineError usage */
function chosenClasses({ kind, classColumn, classes }: EnrichOptions): Partial<EnrichmentSettings> {
  if (kind !== 'roads' && classes === undefined) return defined({ valueColumn: classColumn });
  if (classColumn === undefined && classes === undefined) return {};
  const refuse = (found: string) =>
    new EngineError(
      'usage',
      `Expected --class-column CLASS with --classes "II=main, V=local" (${Object.keys(roadClassWords).join(', ')}) for roads, found ${found}.`,
    );
  if (kind !== 'roads') throw refuse(`--classes for ${kind}`);
  if (classColumn === undefined || classes === undefined) throw refuse('one of them alone');
  const parsed = parseRoadClasses(classes);
  if ('problem' in parsed) throw refuse(JSON.stringify(parsed.problem));
  return { roads: { column: classColumn, classes: parsed.classes, other: unknownRoad } };
}

/** A newer file of the county's roads is read as the one before, if it has the same column. */
function classesOfBefore(
  { file }: LandStore,
  fips: string,
  options: EnrichOptions,
  { roads }: Partial<EnrichmentSettings>,
): Partial<EnrichmentSettings> {
  const before =
    options.kind === 'roads' && roads === undefined ? findLayer(file, fips, 'roads')?.settings.roads : null;
  if (!before) return {};
  const has = columnsIn(options).some(({ name }) => foldSpaces(name) === foldSpaces(before.column));
  return has ? { roads: before } : {};
}

/** The columns of the layer that is read. */
function columnsIn({ file, ...reading }: EnrichOptions): readonly LookedColumn[] {
  const { layers } = look(file, { ...readingOf(reading), purpose: 'layer' });
  return (layers.find(({ name }) => name === reading.layer) ?? layers[0])?.columns ?? [];
}

const titleOf = ({ title, layer, file }: EnrichOptions): string =>
  title?.trim() || layer || path.basename(file).replace(/(\.[a-z0-9]{1,8})+$/i, '') || path.basename(file);

async function enrichFromFeatures(land: LandStore, plan: LayerPlan, options: EnrichOptions): Promise<EnrichReport> {
  const started = options.now();
  const staged = new StagedFeatures(land.file);
  try {
    const read = await stageLayer(land, plan, options, staged);
    if (options.anyway !== true) expectLikeness(read, plan, options);
    const coverage = chosenCoverage(plan, options, read);
    if (coverage.kind !== 'county') expectNear(read, plan, options);
    const { settings, kind } = plan;
    const context = { kind, settings, coverage, packed: read.packed, classNames: read.classNames };
    const parcels = countyParcels(land, plan.fips);
    const { findings, threads } = await computeFindings(land, context, parcels, options);
    if (kind === 'roads' && isMostlyLeftOut(read)) forgetLandlocked(findings);
    return storeLayer(
      land,
      {
        layer: { ...plan, coverage, feature_count: featureCount(read) },
        features: staged,
        isAgain: false,
        parcels,
        findings,
        run: null,
      },
      {
        ...reportOf(plan),
        reading: read.reading,
        coverage,
        parcels: parcels.ids.length,
        notes: notesOf(read, plan),
        threads,
      },
      { options, started },
    );
  } finally {
    staged.drop();
  }
}

const featureCount = ({ reading }: ReadLayer): number =>
  reading.features_kept + (reading.townships_made ?? 0) + (reading.sections_made ?? 0);

const columnsSaid = (columns: readonly string[]): string =>
  columns.length === 0 ? 'it has no columns' : `it has the columns ${columns.join(', ')}`;

/** Fewer known classes than this share of the features are a sign of another file, or of other classes. */
const leastKnownShare = 0.2;

/** Asks before a file is used that looks like something else: it must not replace a useful layer. */
function expectLikeness(
  { reading, columns, usualLayer }: ReadLayer,
  { kind }: LayerPlan,
  options: EnrichOptions,
): void {
  const { file, layer } = options;
  const { features_read: read, without_class: unknown, unmapped_values: values } = reading;
  const ask = (why: string) =>
    new EngineError(
      'import_refused',
      `${file}: ${why} Nothing was written. To use it all the same, say so (--anyway).`,
    );
  const names = [path.basename(file), layer ?? usualLayer ?? ''];
  const other = otherContent(kind, { names, columns });
  if (other !== null)
    throw ask(
      `its columns and name are those of ${contentWords(other)}, not of ${contentWords(kind)}; ${columnsSaid(columns)}.`,
    );
  if (read === 0 || read - unknown >= leastKnownShare * read) return;
  const isBlank = Object.keys(values).join('') === '';
  const shown = Object.entries(values).map(([value, count]) => `${value || 'blank'} (${count})`);
  const advice =
    kind === 'roads'
      ? roadAdvice(options, columns)
      : ` Name the column (--class-column NAME); ${columnsSaid(columns)}.`;
  if (kind === 'roads' && isBlank)
    throw ask(
      read === unknown
        ? `no column of road classes was found.${advice}`
        : `${read - unknown} of its ${read} roads have a class; in the others no column says one.${advice}`,
    );
  throw ask(
    `of its ${read} features ${read - unknown} are of a known class of ${contentWords(kind)}; not known: ${shown.join(', ')}.${advice}`,
  );
}

/** With the columns that may be meant, their values, and a line to change and use. */
function roadAdvice(options: EnrichOptions, columns: readonly string[]): string {
  const proposed = proposeRoadClasses(columnsIn(options)) ?? [];
  const found = proposed.map(
    (one) =>
      `${one.column}: ${one.values.map(({ value, count }) => `${value} (${count})`).join(', ')}; say what they are with --class-column ${quotedName(one.column)} --classes "${roadClassesText(one)}"`,
  );
  return ` Each would count as a local road. ${found.length === 0 ? `MTFCC (Census) and highway (OpenStreetMap) are read by themselves; name another column and its classes (--class-column CLASS --classes "II=main, V=local"); ${columnsSaid(columns)}` : `Its classes may stand in ${found.join(', or in ')} (${Object.keys(roadClassWords).join(', ')})`}.`;
}

const quotedName = (name: string): string => (/^\w+$/.test(name) ? name : `"${name}"`);

/** Refuses a file of another area: it must not replace a useful layer. */
function expectNear({ reading }: ReadLayer, { kind, fips }: LayerPlan, { file }: EnrichOptions): void {
  if (reading.features_kept > 0) return;
  const advice = layerKinds[kind].needsCoverage
    ? ' If the county has none, say that the layer covers it (--coverage county).'
    : '';
  throw new EngineError(
    'import_refused',
    `${file}: none of its ${reading.features_read} features lies near the parcels of ${fips}: is it of another county?${advice}`,
  );
}

/** Whether most roads of the file were left out, unread or of classes that the settings do not know. */
const isMostlyLeftOut = ({ reading }: ReadLayer): boolean =>
  2 * (reading.refused.count + reading.unknown_left_out) > reading.features_read;

/** Parcels without frontage may front a road that was left out. */
function forgetLandlocked(findings: ParcelFinding[]): void {
  for (const [place, finding] of findings.entries())
    if (finding.values.at(-1) === 1) findings[place] = { ...finding, values: [...finding.values.slice(0, -1), null] };
}

function notesOf(layer: ReadLayer, { kind }: LayerPlan): string[] {
  const { usualLayer, reading } = layer;
  const { features_read: read, features_kept: kept, refused, unmapped_values: unmapped } = reading;
  const notes = usualLayer === null ? [] : [`The file has several layers; ${usualLayer} was read.`];
  const [first] = refused.first;
  if (first) {
    notes.push(
      `${refused.count} of its ${read} features could not be used, and parcels beneath them count as if they were not there. The first, row ${first.row}: ${first.reason}`,
    );
  }
  if (kept === 0) notes.push(`None of its ${read} features lies near the parcels: all of them count as having none.`);
  const values = Object.entries(unmapped).map(([value, count]) => `${value || 'blank'} (${count})`);
  if (kind === 'roads' && isMostlyLeftOut(layer))
    notes.push('Most of its roads were left out, so no parcel is called landlocked: that is unknown without frontage.');
  if (values.length > 0 && kind === 'roads' && reading.unknown_left_out === 0)
    notes.push(`No known classes of roads, taken for local roads: ${values.join(', ')}.`);
  if (reading.islands !== undefined)
    notes.push(`Islands are no water: ${counted(reading.islands, 'feature', 'features')} of that name left out.`);
  if (kind === 'plss' && reading.townships_made !== undefined)
    notes.push(`It has no outlines of townships: ${reading.townships_made} were drawn from their sections.`);
  if (reading.sections_made !== undefined)
    notes.push(`Of some sections it has parts alone: ${reading.sections_made} were drawn from these.`);
  if (values.length > 0 && kind === 'plss')
    notes.push(`${reading.without_class} of its features are no township, section or part of one, and only drawn.`);
  if (values.length > 0 && kind === 'flood')
    notes.push(`No known flood zones, so the hazard there is unknown: ${values.join(', ')}.`);
  return notes;
}

function chosenCoverage({ kind, fips }: LayerPlan, { coverage, file }: EnrichOptions, read: ReadLayer): Coverage {
  if (coverage === 'county') return { kind: 'county' };
  if (coverage !== undefined) return { kind: 'box', box: coverage };
  if (!layerKinds[kind].needsCoverage) return { kind: 'features' };
  if (kind === 'flood' && read.namesStudied) return { kind: 'features' };
  return declaredCoverage(file, fips) ?? { kind: 'hull', ring: read.hull };
}

/** Findings of all parcels in their order, landlocked included. */
export async function computeFindings(
  land: LandStore,
  context: ComputeContext,
  parcels: CountyParcels,
  options: RunOptions,
): Promise<{ findings: ParcelFinding[]; threads: number }> {
  const { ids } = parcels;
  const threads = ids.length < minParcelsForThreads ? 1 : Math.max(1, Math.floor(options.threads ?? 1));
  const onRows = progressOf(options, 'computing', ids.length);
  const findings = new Array<ParcelFinding>(ids.length);
  let rows = 0;
  await computeCounty({
    context,
    chunks: parcelChunks(land, parcels),
    threads,
    signal: options.signal,
    onFindings: (start, found) => {
      for (const [index, finding] of found.entries()) findings[start + index] = finding;
      rows += found.length;
      onRows(rows);
    },
  });
  if (context.kind === 'roads') settleLandlocked(land, context.settings, parcels, findings);
  return { findings, threads };
}

/** Sets `landlocked`, the last value, of parcels without frontage by their neighbors. */
function settleLandlocked(
  land: LandStore,
  settings: EnrichmentSettings,
  { fips, ids }: CountyParcels,
  findings: ParcelFinding[],
): void {
  const roadsByUse = roadParcelsByUse(land, fips, settings.roadParcelWords);
  const places = ids.map((_, place) => place);
  const isRoad = (place: number) => findings[place]?.isRoad === true || roadsByUse.has(ids[place] ?? 0);
  const isOpen = ({ reason, values }: ParcelFinding) => reason === null && values.at(-1) === null;
  const candidates = places.filter((place) => isOpen(findings[place] as ParcelFinding));
  const landlocked = findLandlocked({
    settings,
    roads: places.filter(isRoad),
    candidates,
    shapeOf: (place) => findShape(land, ids[place] ?? 0),
  });
  for (const place of candidates) {
    const finding = findings[place] as ParcelFinding;
    findings[place] = { ...finding, values: [...finding.values.slice(0, -1), landlocked.has(place) ? 1 : 0] };
  }
}

function findShape({ file }: LandStore, propertyId: number): MultiPolygon | null {
  const row = file.get<{ geom: Uint8Array | null }>('SELECT geom FROM parcels WHERE property_id = ?', propertyId);
  if (!row?.geom) return null;
  try {
    return decodeMultiPolygon(row.geom);
  } catch {
    return null;
  }
}
