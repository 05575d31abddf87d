/** Printing what the map shows: the choices for the page, and the request. */
import type { ReadInputOf } from '../../engine/reads/index.ts';
import {
  mapBox,
  nearestScale,
  type PaperName,
  pageSize,
  paperNames,
  papers,
  pointsPerMeter,
  sheetScales,
} from '../../engine/spec/sheet-paper.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { explore } from '../explore/explore-state.ts';
import { askableBody, hasScope } from '../explore/filter-body.ts';
import { pdfOpener } from '../export/open-pdf.ts';
import { saveFile } from '../export/save-file.ts';
import { formatNumber } from '../parts/format.ts';
import { createStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { isOnAtFirst } from './context-layers.ts';
import type { Fill } from './fills.ts';
import { groundNames } from './ground-layers.ts';
import type { MapSources } from './map-sources.ts';
import { choiceOf, mapMemory } from './map-state.ts';
import { photoShown, shownLayers } from './photo.ts';
import type { LegendState } from './use-legend.ts';

export const scaleOptions = sheetScales.map((value) => ({ value, label: `1:${formatNumber(value)}` }));

/** Ledger is tabloid turned. */
export const paperSegments = paperNames
  .filter((value) => value !== 'ledger')
  .map((value) => ({
    value,
    label: papers[value].title.replace(/^./, (first) => first.toUpperCase()),
  }));

/** What the map shows. */
export interface ShownMap {
  readonly sources: MapSources;
  readonly fill: Fill;
  readonly legend: LegendState;
}

type SheetInput = ReadInputOf<'map_sheet'>;
type LotText = NonNullable<SheetInput['labels']>[number];

interface PrintChoices {
  readonly paper: PaperName;
  readonly direction: 'upright' | 'wide';
  /** 6000 for 1:6,000; null: the one nearest to the view. */
  readonly scale: number | null;
  /** Owners' names are never remembered as wanted. */
  readonly texts: readonly LotText[];
}

interface PrintState extends PrintChoices {
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly hasOwners: boolean;
  readonly title: string;
}

export const print = createStore<PrintState>(
  'platbook.print',
  {
    paper: 'letter',
    direction: 'upright',
    scale: null,
    texts: ['apn', 'acres'],
    isOpen: false,
    isBusy: false,
    hasOwners: false,
    title: '',
  },
  { lost: ['isOpen', 'isBusy', 'hasOwners', 'title'] },
);

/** The offered scale nearest to the view. */
export const seenScale = (): number => {
  const { zoom, center } = mapMemory.get();
  return nearestScale(zoom, center?.[1] ?? 0);
};

/** Meters of ground on the page, from west to east and from north to south. */
export function groundOfPage({ paper, direction }: PrintChoices, scale: number): readonly [number, number] {
  const { width, height } = mapBox(pageSize(paper, direction === 'wide'));
  return [width / pointsPerMeter(scale), height / pointsPerMeter(scale)];
}

/** Dots of a photo on paper, and bytes that JPEG needs for one: of woods in leaf, which need the most. */
const [dotsPerInch, bytesPerDot] = [150, 0.45];

/** `about 0.9 MB`: the size of a page with a photo, before it is made. */
export function photoSizeWords({ paper, direction }: PrintChoices): string {
  const { width, height } = mapBox(pageSize(paper, direction === 'wide'));
  const bytes = (width / 72) * (height / 72) * dotsPerInch ** 2 * bytesPerDot;
  return `about ${formatNumber(bytes / 1e6, 1)} MB`;
}

/** The layers that are on, by their sources. */
function printedLayers(sources: MapSources): string[] {
  const layers = shownLayers(mapMemory.get(), sources);
  const isOn = (source: string, isAtFirst: boolean) => choiceOf(layers, source, isAtFirst).isOn;
  return [
    ...groundNames.filter((name) => isOn(name, true)),
    ...sources.layers.filter(({ source, kind }) => isOn(source, isOnAtFirst(kind))).map(({ source }) => source),
  ];
}

/** The classes of the legend; undefined where lots are filled by tags, or by nothing yet. */
function sheetFill(fill: Fill, { classes, limits }: LegendState): SheetInput['fill'] {
  if (fill.kind === 'tag' || classes.length === 0) return undefined;
  const limitOf = (at: number) => (at === 0 ? {} : { from: limits[at - 1] as number });
  const boundOf = (at: number) => (fill.kind === 'choice' ? { value: fill.values[at]?.[0] as string } : limitOf(at));
  return {
    ...{ title: fill.title, column: fill.attribute, without: fill.without },
    classes: classes.map(({ words, step }, at) => ({ words, step, ...boundOf(at) })),
  };
}

/** Lots are filled if the filter names a place. A county alone is no search for a fill by tags. */
function filledFilter(fill: SheetInput['fill']): SheetInput['filter'] {
  const filter = askableBody(explore.get().filter);
  const isFilled = hasScope(filter) && (fill !== undefined || Object.keys(filter).length > 1);
  return isFilled ? (filter as SheetInput['filter']) : undefined;
}

function sheetInput({ sources, fill: shown, legend }: ShownMap, center: readonly [number, number]): SheetInput {
  const { paper, direction, scale, texts, hasOwners, title } = print.get();
  const { selected, selectedMany } = explore.get();
  const chosen = selectedMany.length > 0 ? selectedMany : selected === null ? [] : [selected];
  const photo = photoShown(sources, mapMemory.get());
  const fill = sheetFill(shown, legend);
  const filter = filledFilter(fill);
  return {
    ...{ longitude: center[0], latitude: center[1], paper },
    landscape: direction === 'wide',
    scale: scale ?? seenScale(),
    labels: [...texts, ...(hasOwners ? (['owner'] as const) : [])],
    layers: printedLayers(sources),
    ...(photo && { photo: photo.source }),
    ...(title.trim() && { title: title.trim() }),
    ...(chosen.length > 0 && { selected: [...chosen] }),
    ...(filter && { filter }),
    ...(filter && fill && { fill }),
  };
}

/**
 * Makes the page.
 * @param how opened to be printed, or saved as a file
 */
export async function makeSheet(client: EngineClient, shown: ShownMap, how: 'open' | 'save'): Promise<void> {
  const { center } = mapMemory.get();
  if (!center) return;
  const opener = how === 'open' ? pdfOpener() : null;
  print.set({ isBusy: true });
  try {
    const data = await client.read('map_sheet', sheetInput(shown, center));
    if (!(await opener?.show(data.id))) saveFile(data);
    print.set({ isOpen: false });
    toast([`One page at 1:${data.scale.toLocaleString('en-US')}.`, ...data.notes].join(' '));
  } catch (error) {
    opener?.giveUp();
    toast(error instanceof Error ? error.message : String(error));
  } finally {
    print.set({ isBusy: false });
  }
}
