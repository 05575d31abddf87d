/** The wizard's state. It outlives the screen: an import continues while the user is elsewhere. */

import { usualLayerOf } from '../../engine/spec/layer-files.ts';
import { roadTextsOf } from '../../engine/spec/layer-settings.ts';
import { isLayerKind } from '../../engine/spec/layer-titles.ts';
import { proposeRoadClasses } from '../../engine/spec/road-words.ts';
import { tablePrefix } from '../../engine/spec/table-names.ts';
import type {
  Expression,
  ListChoices,
  ListProposal,
  Look,
  LookedLayer,
  Mapping,
  MappingSample,
  Proposal,
} from '../../engine/work/import-answers.ts';
import type { ClientError } from '../client/engine-client.ts';
import { createStore } from '../state/store.ts';

export type ImportWhat = 'parcels' | 'layer' | 'comps' | 'contacts';
export type ImportStep = 'choose' | 'look' | 'map' | 'dryrun' | 'run' | 'report';
export type ImportView = 'new' | 'loaded' | 'missing';

/** One line of the mapping: a column of the dictionary with its source, or an unmapped column of the file. */
export interface MapRow {
  readonly id: string;
  /** Its source, in words. */
  readonly source: string;
  /** Column of the dictionary; null: kept raw. */
  readonly target: string | null;
  /** Alternatives that were not chosen. */
  readonly offered: string | null;
  readonly expression: Expression;
  /** 0 to 1; null: not a guess. */
  readonly confidence: number | null;
  readonly reasons: readonly string[];
  readonly sample: string | null;
  readonly after: string | null;
  /** Share of the first rows with a value, 0 to 1; null: not counted. */
  readonly filled: number | null;
}

export interface ImportState {
  readonly view: ImportView;
  readonly step: ImportStep;
  readonly what: ImportWhat;
  /** Paths that were chosen. */
  readonly chosen: readonly string[];
  readonly looks: readonly Look[];
  /** Name of the layer, if the file has several and the user chose one. */
  readonly layer: string | null;
  readonly crs: string;
  /** The condition on its rows. */
  readonly where: string;
  /** Row of the headings in CSV and XLSX files, where the user said it. */
  readonly headerRow: number | null;
  /** The file is a roll: its rows become parcels without shapes. */
  readonly withoutShapes: boolean;
  readonly fips: string | null;
  readonly jurisdiction: string;
  readonly source: string;
  readonly date: string;
  /** The column of a statewide file that names the county. */
  readonly countyColumn: string;
  readonly layerKind: string;
  /** Name on the map of a layer that is only drawn. */
  readonly layerTitle: string;
  /** Whether the layer covers the whole county. */
  readonly coversCounty: boolean;
  /** Whether it is used though it looks like something else. */
  readonly isMeant: boolean;
  /** What was typed into the fields of its settings, by name. */
  readonly layerTexts: Readonly<Record<string, string>>;
  /** For comps and contacts: the heading that each field is read from. */
  readonly list: ListProposal | null;
  readonly listChoices: ListChoices;
  readonly proposal: Proposal | null;
  /** The user's answers to its questions, by what each is about. */
  readonly answers: Readonly<Record<string, string>>;
  /** The user's saved mapping that fits the file. */
  readonly savedMapping: string | null;
  readonly base: Mapping | null;
  readonly rows: readonly MapRow[];
  readonly preview: MappingSample | null;
  readonly previewError: ClientError | null;
  /** Whether a preview of the first rows is under way. */
  readonly isTrying: boolean;
  readonly isSaving: boolean;
  readonly isAdding: boolean;
  /** Older data may replace what is loaded. */
  readonly takesOlder: boolean;
  /** The job that the step waits for, or whose report it shows. */
  readonly jobId: number | null;
  /** The import whose changes Loaded shows. */
  readonly changesOf: number | null;
  /** The current action, in words. */
  readonly busy: string | null;
  readonly error: ClientError | null;
}

export const beginning: ImportState = {
  view: 'new',
  step: 'choose',
  what: 'parcels',
  chosen: [],
  looks: [],
  layer: null,
  crs: '',
  where: '',
  headerRow: null,
  withoutShapes: false,
  fips: null,
  jurisdiction: '',
  source: '',
  date: '',
  countyColumn: '',
  layerKind: 'roads',
  layerTitle: '',
  coversCounty: false,
  isMeant: false,
  layerTexts: {},
  list: null,
  listChoices: {},
  proposal: null,
  answers: {},
  savedMapping: null,
  base: null,
  rows: [],
  preview: null,
  previewError: null,
  isTrying: false,
  isSaving: true,
  isAdding: false,
  takesOlder: false,
  jobId: null,
  changesOf: null,
  busy: null,
  error: null,
};

interface KeptImportState extends ImportState {
  /** Recently used, newest first; stored on this computer. */
  readonly folders: readonly string[];
}

export const importing = createStore<KeptImportState>(
  'platbook.import',
  { ...beginning, folders: [] },
  { lost: Object.keys(beginning) as (keyof ImportState)[] },
);

const keptFolders = 5;

export const noteFolder = (folder: string): void =>
  importing.set(({ folders }) => ({
    folders: [folder, ...folders.filter((one) => one !== folder)].slice(0, keptFolders),
  }));

/** Back to the beginning; keeps whether parcels, a layer or a list comes. Parcels name their county themselves. */
export const beginAgain = (change: Partial<ImportState> = {}): void =>
  importing.set(({ what, fips }) => ({
    ...beginning,
    what,
    fips: what === 'layer' ? fips : null,
    ...change,
  }));

export const stepsOf = (what: ImportWhat): readonly { readonly id: ImportStep; readonly title: string }[] =>
  what === 'parcels'
    ? [
        { id: 'look', title: 'Look' },
        { id: 'map', title: 'Map' },
        { id: 'dryrun', title: 'Dry run' },
        { id: 'run', title: 'Run' },
        { id: 'report', title: 'Report' },
      ]
    : [
        { id: 'look', title: 'Look' },
        ...(what === 'layer' ? [] : [{ id: 'map', title: 'Map' } as const]),
        { id: 'run', title: 'Run' },
        { id: 'report', title: 'Report' },
      ];

/** The file that was looked at; null before. */
export function mainLook({ looks, what }: ImportState): Look | null {
  const [first = null] = looks;
  return what === 'parcels' ? (looks.find(({ kind }) => kind === 'parcels') ?? null) : first;
}

/** Tables to join, in the order of the mapping's joins. */
export const tableLooks = ({ looks, what }: ImportState): readonly Look[] =>
  what === 'parcels' ? looks.filter(({ kind }) => kind === 'table') : [];

/** Columns of the tables, with the prefix of each. */
export const tableNames = (state: ImportState): string[] =>
  tableLooks(state).flatMap(({ layers }, place) =>
    (layers[0]?.columns ?? []).map(({ name }) => tablePrefix(place) + name),
  );

/** The layer to read: the chosen one, else the one whose name fits, else the largest. */
export function mainLayer(state: ImportState): LookedLayer | null {
  const layers = mainLook(state)?.layers ?? [];
  const name = state.layer ?? usualName(state, layers);
  const [largest = null] = [...layers].sort((a, b) => (b.rows ?? 0) - (a.rows ?? 0));
  return layers.find((layer) => layer.name === name) ?? largest;
}

function usualName({ what, layerKind }: ImportState, layers: readonly LookedLayer[]): string | null {
  if (what !== 'layer' || !isLayerKind(layerKind)) return null;
  return usualLayerOf(
    layerKind,
    layers.map(({ name }) => name),
  );
}

export const parcelFiles = ({ looks }: ImportState): string[] =>
  looks.filter(({ kind }) => kind === 'parcels').map(({ path }) => path);

export const fileName = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
export const folderOf = (path: string): string => path.replace(/[\\/][^\\/]*$/, '') || '/';

/** The settings that a layer of this kind begins with: the likeliest column of road classes, and what its values may mean. */
export function startTexts(kind: string, columns: Look['layers'][number]['columns'] = []): Record<string, string> {
  const [first] = kind === 'roads' ? (proposeRoadClasses(columns) ?? []) : [];
  return first ? roadTextsOf(first) : {};
}
