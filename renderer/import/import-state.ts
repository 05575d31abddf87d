/** Where the user is in the wizard. It outlives the screen: an import goes on while the user looks at something else. */

import { usualLayerOf } from '../../engine/spec/layer-files.ts';
import { isLayerKind } from '../../engine/spec/layer-titles.ts';
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

/** One line of the mapping: a column of the dictionary and where it comes from, or a column that goes nowhere. */
export interface MapRow {
  readonly id: string;
  /** Where it comes from, as people read it. */
  readonly source: string;
  /** Column of the dictionary; null: kept raw. */
  readonly target: string | null;
  /** What was considered and not taken. */
  readonly offered: string | null;
  readonly expression: Expression;
  /** 0 to 1; null: not a guess. */
  readonly confidence: number | null;
  readonly reasons: readonly string[];
  readonly sample: string | null;
  readonly after: string | null;
}

export interface ImportState {
  readonly view: ImportView;
  readonly step: ImportStep;
  readonly what: ImportWhat;
  /** Paths that were chosen. */
  readonly chosen: readonly string[];
  readonly looks: readonly Look[];
  /** Name of the layer, where a file has several and the user chose one. */
  readonly layer: string | null;
  readonly crs: string;
  readonly fips: string | null;
  readonly jurisdiction: string;
  readonly source: string;
  readonly date: string;
  /** The column of a statewide file that names the county. */
  readonly countyColumn: string;
  readonly layerKind: string;
  /** Whether the layer says everything about the whole county. */
  readonly coversCounty: boolean;
  /** Comps and contacts: the heading that each field is read from. */
  readonly list: ListProposal | null;
  readonly listChoices: ListChoices;
  readonly proposal: Proposal | null;
  /** The mapping of the user's that was found again. */
  readonly savedMapping: string | null;
  readonly base: Mapping | null;
  readonly rows: readonly MapRow[];
  readonly preview: MappingSample | null;
  readonly previewError: ClientError | null;
  /** The mapping is being tried on the first rows. */
  readonly isTrying: boolean;
  readonly isSaving: boolean;
  readonly isAdding: boolean;
  /** The job that the step waits for, or whose report it shows. */
  readonly jobId: number | null;
  /** What is being done, in words. */
  readonly busy: string | null;
  readonly error: ClientError | null;
}

const beginning: ImportState = {
  view: 'new',
  step: 'choose',
  what: 'parcels',
  chosen: [],
  looks: [],
  layer: null,
  crs: '',
  fips: null,
  jurisdiction: '',
  source: '',
  date: '',
  countyColumn: '',
  layerKind: 'roads',
  coversCounty: false,
  list: null,
  listChoices: {},
  proposal: null,
  savedMapping: null,
  base: null,
  rows: [],
  preview: null,
  previewError: null,
  isTrying: false,
  isSaving: true,
  isAdding: false,
  jobId: null,
  busy: null,
  error: null,
};

export const importing = createStore<ImportState>(null, beginning);

/** Folders that files were taken from, newest first; kept on this computer. */
export const recentFolders = createStore<{ readonly folders: readonly string[] }>('platbook.import', { folders: [] });

const keptFolders = 5;

export const noteFolder = (folder: string): void =>
  recentFolders.set(({ folders }) => ({
    folders: [folder, ...folders.filter((one) => one !== folder)].slice(0, keptFolders),
  }));

/** Back to the beginning; what kind of file stays. */
export const beginAgain = (change: Partial<ImportState> = {}): void =>
  importing.set(({ what, layerKind, fips }) => ({ ...beginning, what, layerKind, fips, ...change }));

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

/** The file of parcels, of a layer, of comps or contacts; null while none is looked at. */
export function mainLook({ looks, what }: ImportState): Look | null {
  const [first = null] = looks;
  return what === 'parcels' ? (looks.find(({ kind }) => kind === 'parcels') ?? null) : first;
}

export const tableLook = ({ looks, what }: ImportState): Look | null =>
  what === 'parcels' ? (looks.find(({ kind }) => kind === 'table') ?? null) : null;

/** The layer that is to be read: the one that was chosen, else the one that is meant by its name, else the largest. */
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
