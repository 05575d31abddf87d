/** The actions of the import wizard: look, propose, preview, run. Each waits for the engine and shows its answer. */
import type { ParcelsInput, TaskInput } from '../../engine/jobs/task-kinds.ts';
import { layerSettingsOf } from '../../engine/spec/layer-settings.ts';
import { isLayerKind, isLookAlone, isMapOnly } from '../../engine/spec/layer-titles.ts';
import { joinsOf } from '../../engine/spec/table-names.ts';
import type { JobStatus, ListChoices, Look, Mapping, Proposal } from '../../engine/work/import-answers.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { addPhotos, isPhoto } from '../map/add-photos.ts';
import { asClientError } from '../state/priced-call.ts';
import { windowId } from '../state/window-id.ts';
import {
  beginning,
  fileName,
  folderOf,
  type ImportState,
  importing,
  mainLayer,
  mainLook,
  noteFolder,
  parcelFiles,
  startTexts,
  tableLooks,
  tableNames,
} from './import-state.ts';
import { canReadAll, mappingOf, rowsOfMapping, rowsOfProposal, withSaid } from './mapping-rows.ts';
import { refreshJobs } from './use-jobs.ts';

let latest = 0;
let latestPreview = 0;
/** Ends the request of a superseded question. */
let asking = new AbortController();
let trying = new AbortController();

/** At most two questions at once: one of the step, and one that previews the mapping. A newer one stops the older. */
const askers = { step: `step ${windowId}`, preview: `preview ${windowId}` } as const;

/** Shows `busy` while it waits; drops an answer that comes after the user has moved on. */
async function work(busy: string, ask: () => Promise<Partial<ImportState>>): Promise<void> {
  latest += 1;
  const mine = latest;
  asking.abort();
  asking = new AbortController();
  importing.set({ busy, error: null });
  try {
    const change = await ask();
    if (mine === latest) importing.set({ ...change, busy: null });
  } catch (error) {
    if (mine === latest) importing.set({ busy: null, error: asClientError(error) });
  }
}

/** Stops what a step waits for; jobs go on. */
export function stopWaiting(client: EngineClient): void {
  latest += 1;
  asking.abort();
  importing.set({ busy: null, error: null });
  void client.read('drop_question', { asker: askers.step });
}

/** What a layer's file looks like, until the user says otherwise; kind and settings were of the file before. */
function layerOf([look]: readonly Look[], before: readonly Look[]): Partial<ImportState> {
  const content = look?.layers[0]?.content ?? null;
  if (content !== null && isLookAlone(content))
    return { layerKind: 'other', isMeant: false, layerTitle: '', layerTexts: { look: content } };
  const kind = content !== null && isLayerKind(content) ? content : null;
  const forgotten = before.length > 0 ? { layerKind: beginning.layerKind } : {};
  const layerTexts = startTexts(kind ?? '', look?.layers[0]?.columns);
  return { ...(kind ? { layerKind: kind } : forgotten), isMeant: false, layerTitle: '', layerTexts };
}

/** Photos of the air are no parcels: they go under the map at once. */
async function tookPhotos(client: EngineClient, chosen: readonly string[]): Promise<boolean> {
  const photos = await Promise.all(chosen.map((path) => isPhoto(client, path)));
  if (photos.length === 0 || !photos.every(Boolean)) return false;
  await addPhotos(client, chosen);
  return true;
}

export const lookAtChosen = (client: EngineClient): Promise<void> =>
  work('Looking at the file', async () =>
    (await tookPhotos(client, importing.get().chosen)) ? { chosen: [] } : lookAtFiles(client),
  );

async function lookAtFiles(client: EngineClient): Promise<Partial<ImportState>> {
  const { chosen, looks: before, layer, fips, what } = importing.get();
  const isSameFile = before[0]?.path === chosen[0];
  if (!isSameFile) importing.set({ withoutShapes: false });
  const looks: Look[] = [];
  for (const path of chosen) looks.push(await lookAt(client, path));
  const [first] = chosen;
  if (first) noteFolder(folderOf(first));
  const saysWhere = what === 'parcels' && looks.some(({ layers }) => layers.some(({ places }) => places.length > 0));
  return {
    looks,
    ...(isSameFile ? {} : layerOf(looks, before)),
    // The same file may be read again in another coordinate system.
    layer: isSameFile ? layer : null,
    fips: saysWhere && !isSameFile ? null : fips,
    step: 'look',
    jobId: null,
  };
}

async function lookAt(client: EngineClient, path: string): Promise<Look> {
  const { crs, where, headerRow, withoutShapes, what } = importing.get();
  if (what === 'layer' && isRaster(path)) return rasterLook(path);
  const question = {
    path,
    asker: askers.step,
    ...filled({ crs, where, header_row: headerRow, purpose: what === 'layer' ? what : null }),
    ...(withoutShapes && { without_shapes: true }),
  };
  const data = await client.read('look_file', question, { signal: asking.signal });
  return data as Look;
}

const isRaster = (path: string): boolean => /\.tiff?$/i.test(path);

/** Only the enrichment reads elevation; a raster has no columns or rows to look at. */
const rasterLook = (path: string): Look => ({ path, kind: 'parcels', layers: [] });

type Filled<Fields> = { [Key in keyof Fields]?: NonNullable<Fields[Key]> };

/** What is filled in, texts without the blanks around them: an empty field leaves the choice to the engine. */
function filled<Fields extends object>(fields: Fields): Filled<Fields> {
  const trimmed = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ]);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== null && value !== '')) as Filled<Fields>;
}

const readingOf = (
  state: ImportState,
): { layer?: string; crs?: string; where?: string; header_row?: number; without_shapes?: boolean } => {
  const { crs, where, headerRow, withoutShapes } = state;
  const layer = mainLayer(state);
  // A GeoTIFF names its own coordinate system; ignore one given for another file.
  if (layer === null) return {};
  const isOneOfSeveral = (mainLook(state)?.layers.length ?? 0) > 1;
  return filled({
    ...{ layer: isOneOfSeveral ? layer.name : null, crs, where, header_row: headerRow },
    without_shapes: withoutShapes || null,
  });
};

/** The tables of these joins, or all. */
function joinOf(state: ImportState, mapping?: Mapping | null): { join?: string[] } {
  const paths = tableLooks(state).map(({ path }) => path);
  const joined = mapping === undefined ? paths : paths.slice(0, joinsOf(mapping ?? {}).length);
  return joined.length > 0 ? { join: joined } : {};
}

/** The name under which a county's, or a town's, mapping is kept. */
const savedNameOf = ({ fips, jurisdiction }: ImportState): string =>
  `county_${fips ?? 'none'}${jurisdiction ? `_${jurisdiction.toLowerCase().replace(/[^a-z0-9]+/g, '_')}` : ''}`.slice(
    0,
    64,
  );

export const proposeColumns = (client: EngineClient, isFresh = false): Promise<void> =>
  work('Comparing names and values with what is known', async () => {
    const state = importing.get();
    const [path] = parcelFiles(state);
    if (path === undefined) throw new Error('No file of parcels was chosen.');
    const data = await client.read(
      'propose_mapping',
      {
        path,
        asker: askers.step,
        ...filled({ county: state.fips }),
        ...joinOf(state),
        ...readingOf(state),
      },
      { signal: asking.signal },
    );
    const proposal = data as Proposal;
    const saved = isFresh ? null : await findSaved(client, state);
    const base = saved ?? proposal.mapping;
    const rows = saved ? rowsOfMapping(saved, proposal) : rowsOfProposal(proposal);
    return {
      proposal,
      answers: {},
      base,
      rows,
      savedMapping: saved?.name ?? null,
      preview: null,
      previewError: null,
      step: 'map',
      jobId: null,
    };
  });

/** Proposes again once the user has said how each table is joined: only then are its columns known. */
export function proposeJoined(client: EngineClient): void {
  const state = importing.get();
  const { proposal, savedMapping, base } = state;
  const [path] = parcelFiles(state);
  const joins = joinsOf(base ?? {});
  const areSaid =
    joins.length === tableLooks(state).length && joins.every(({ parcel, table }) => parcel !== '' && table !== '');
  if (path === undefined || !areSaid || !proposal || proposal.profile || savedMapping !== null) return;
  void work('Comparing names and values with what is known', async () => {
    const question = {
      ...{ path, joins: [...joins], asker: askers.step },
      ...filled({ county: state.fips }),
      ...joinOf(state),
      ...readingOf(state),
    };
    const data = await client.read('propose_mapping', question, { signal: asking.signal });
    const newer = data as Proposal;
    return { proposal: newer, rows: withSaid(rowsOfProposal(newer), importing.get().rows) };
  });
}

async function findSaved(client: EngineClient, state: ImportState): Promise<Mapping | null> {
  const name = savedNameOf(state);
  const data = await client.read('list_mappings', {});
  const found = data.find((one) => one.isSaved && one.name === name)?.mapping ?? null;
  const columns = mainLayer(state)?.columns.map((column) => column.name) ?? [];
  return found && canReadAll(found, [...columns, ...tableNames(state)]) ? found : null;
}

export async function previewColumns(client: EngineClient): Promise<void> {
  const state = importing.get();
  const [path] = parcelFiles(state);
  const mapping = mappingOf(state);
  if (path === undefined || mapping === null) return;
  latestPreview += 1;
  const mine = latestPreview;
  trying.abort();
  trying = new AbortController();
  importing.set({ isTrying: true });
  try {
    const data = await client.read(
      'preview_mapping',
      {
        path,
        asker: askers.preview,
        mapping: { ...mapping },
        ...joinOf(state, mapping),
        ...readingOf(state),
      },
      { signal: trying.signal },
    );
    if (mine === latestPreview) importing.set({ preview: data, previewError: null, isTrying: false });
  } catch (error) {
    // Ignore answers to superseded requests.
    if (mine === latestPreview) importing.set({ previewError: asClientError(error), isTrying: false });
  }
}

function parcelOptions(state: ImportState): ParcelsInput {
  const mapping = mappingOf(state);
  const { fips, jurisdiction, source, date, countyColumn } = state;
  return {
    files: parcelFiles(state),
    ...filled({ county: fips, county_column: countyColumn, jurisdiction, source, date }),
    ...(mapping ? { mapping: { ...mapping } } : {}),
    ...joinOf(state, mapping),
    ...readingOf(state),
    // The user has seen in the dry run what this replaces.
    replace: true,
  };
}

async function follow(job: Promise<{ data: JobStatus }>): Promise<Partial<ImportState>> {
  const { data } = await job;
  await refreshJobs();
  return { jobId: data.job_id };
}

export const startDryRun = (client: EngineClient): Promise<void> =>
  work('Starting the dry run', async () => {
    const options = { ...parcelOptions(importing.get()) };
    const job = client.change('start_import', { what: 'parcels', dry_run: true, options });
    return { ...(await follow(job)), step: 'dryrun', takesOlder: false };
  });

export const startRun = (client: EngineClient): Promise<void> =>
  work('Starting', async () => {
    const state = importing.get();
    if (state.what === 'parcels') await keepMapping(client, state);
    else await keepListMapping(client, state);
    return { ...(await follow(startOf(client, state))), step: 'run' };
  });

async function keepMapping(client: EngineClient, state: ImportState): Promise<void> {
  const mapping = mappingOf(state);
  if (!state.isSaving || mapping === null) return;
  await client.change('save_mapping', {
    name: savedNameOf(state),
    mapping: { ...mapping, ...filled({ where: state.where }) },
  });
}

/** The name under which a list's mapping is kept: that of its file without numbers, so that the next one is known. */
export const listNameOf = (path: string): string =>
  fileName(path)
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60) || 'list';

/** @param choices what the user said of fields so far */
export const proposeList = (client: EngineClient, choices: ListChoices = {}): Promise<void> =>
  work('Comparing headings and values with what is known', async () => {
    const { what, chosen, headerRow } = importing.get();
    const [path] = chosen;
    if (path === undefined || (what !== 'comps' && what !== 'contacts')) throw new Error('No list was chosen.');
    const data = await client.read(
      'propose_list',
      {
        path,
        as: what,
        choices,
        kept: listNameOf(path),
        asker: askers.step,
        ...filled({ header_row: headerRow }),
      },
      { signal: asking.signal },
    );
    return { list: data, listChoices: choices, step: 'map', jobId: null };
  });

async function keepListMapping(client: EngineClient, { what, list, isSaving }: ImportState): Promise<void> {
  if (!isSaving || list === null || (what !== 'comps' && what !== 'contacts') || list.profile !== null) return;
  await client.change('save_list_mapping', { as: what, name: listNameOf(list.file), mapping: { ...list.mapping } });
}

function startOf(client: EngineClient, state: ImportState): Promise<{ data: JobStatus }> {
  const { what, chosen, fips, source, date, headerRow, list, layerKind, coversCounty, isMeant, layerTexts } = state;
  const mapping = list ? { mapping: { ...list.mapping } } : {};
  const [file = ''] = chosen;
  if (what === 'parcels') return client.change('start_import', { what, options: parcelOptions(state) });
  if (what === 'contacts') {
    const options: TaskInput<'import_contacts'> = {
      ...{ file, ...mapping },
      ...filled({ source, header_row: headerRow }),
    };
    return client.change('start_import', { what, options });
  }
  if (what === 'comps') {
    const options: TaskInput<'import_comps'> = {
      files: chosen,
      ...mapping,
      ...filled({ county: fips, source, date, header_row: headerRow }),
    };
    return client.change('start_import', { what, options });
  }
  const coverage = coversCounty && !isMapOnly(layerKind) ? 'county' : null;
  return client.change('start_enrichment', {
    ...{ kind: layerKind, file, county: fips ?? '', ...readingOf(state) },
    ...filled({ coverage, source, date, title: isMapOnly(layerKind) ? state.layerTitle : '' }),
    ...(isMeant ? { anyway: true } : {}),
    settings: layerSettingsOf(layerKind, layerTexts),
  });
}
