/**
 * Sets which lots match the filter, or their tag, as feature-state, tile by tile for the visible area. The latest
 * filter wins; a tile keeps its state until its answer arrives, so that nothing flickers while the user types.
 */
import type { Source } from 'maplibre-gl';
import { LotWriter } from './lot-writer.ts';
import type { MapLibre } from './open-map.ts';
import { deepestTile, type LotState, labelsFrom, lotsFrom, parcelSource } from './parcel-layers.ts';

export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export interface Cell {
  readonly id: number;
  readonly count: number;
}

/** The queries for a tile. */
export interface MatchQuestions {
  /** Matching parcels in a tile, each with the number for its state, above 0. */
  readonly lots: (tile: TilePlace, signal: AbortSignal) => Promise<ReadonlyMap<number, number>>;
  /** Cells of the grid with matches, and their number. */
  readonly cells: (tile: TilePlace, signal: AbortSignal) => Promise<readonly Cell[]>;
}

interface MatchListener {
  /** Called with the number of matches in each visible cell whenever it changes. */
  readonly onCells: (counts: readonly number[]) => void;
  readonly onError: (error: unknown) => void;
  /** Whether everything visible is answered; false from the first move on. */
  readonly onSettled: (isSettled: boolean) => void;
}

interface Shown {
  /** Key of the answered query. */
  readonly key: string;
  /** By feature: the number of a lot, the count of a cell. */
  readonly counts: ReadonlyMap<number, number>;
  readonly isLots: boolean;
  /** Whether labels are visible at this zoom: they follow their lots. */
  readonly hasLabels: boolean;
}

const nameOf = ({ z, x, y }: TilePlace): string => `${z}/${x}/${y}`;
const moveMilliseconds = 120;

export class MatchKeeper {
  readonly #map: MapLibre;
  readonly #listener: MatchListener;
  readonly #shown = new Map<string, Shown>();
  readonly #waiting = new Map<string, AbortController>();
  /** Tiles whose query failed: not repeated for the same filter. */
  readonly #failed = new Set<string>();
  readonly #soon: Later;
  readonly #lots: LotWriter;
  #generation = '';
  #key = '';
  #questions: MatchQuestions | null = null;
  #source: Source | undefined;

  /** @param stateOf the state of a lot for its number; 0: for none */
  constructor(map: MapLibre, listener: MatchListener, stateOf: (number: number) => LotState) {
    this.#map = map;
    this.#lots = new LotWriter(map, stateOf, () => this.#tellSettled());
    this.#listener = listener;
    this.#source = map.getSource(parcelSource);
    this.#soon = throttled(() => this.#refresh(), moveMilliseconds);
    map.on('move', this.#moved);
    map.on('style.load', this.#loaded);
    map.on('webglcontextlost', this.#forget);
  }

  /** Each change of a style fires the event; states belong to their source, which a lost context replaces. */
  readonly #loaded = (): void => {
    const source = this.#map.getSource(parcelSource);
    if (source !== this.#source) this.#forget();
    this.#source = source;
    this.#moved();
  };

  /** A style whose context is lost takes no states. */
  readonly #forget = (): void => {
    this.#stop();
    this.#failed.clear();
    this.#shown.clear();
    this.#lots.stop();
    this.#moved();
  };

  readonly #moved = (): void => {
    this.#listener.onSettled(false);
    this.#soon.ask();
  };

  /**
   * Starts a new query if it differs; null: nothing is queried, so nothing matches.
   * @param generation of the tiles: a new one replaces their source, which loses all states
   */
  ask(generation: string, question: string, questions: MatchQuestions | null): void {
    const key = `${generation} ${question}`;
    if (key === this.#key) return;
    [this.#key, this.#questions] = [key, questions];
    this.#stop();
    this.#failed.clear();
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#shown.clear();
      this.#lots.stop();
    }
    if (!questions) this.#drop([...this.#shown.keys()]);
    this.#refresh();
  }

  close(): void {
    this.#questions = null;
    this.#stop();
    this.#lots.stop();
    this.#soon.stop();
    this.#map.off('move', this.#moved);
    this.#map.off('style.load', this.#loaded);
    this.#map.off('webglcontextlost', this.#forget);
  }

  #stop(): void {
    for (const controller of this.#waiting.values()) controller.abort();
    this.#waiting.clear();
  }

  #refresh(): void {
    if (!this.#questions) {
      this.#tellSettled();
      return;
    }
    if (!this.#map.getSource(parcelSource)) return;
    const tiles = this.#map
      .coveringTiles({ tileSize: 512, minzoom: 0, maxzoom: deepestTile })
      .map(({ canonical: { z, x, y } }) => ({ z, x, y }));
    const names = new Set(tiles.map(nameOf));
    for (const [name, controller] of this.#waiting) {
      if (names.has(name)) continue;
      controller.abort();
      this.#waiting.delete(name);
    }
    const open = tiles.filter((tile) => !this.#isAnswered(nameOf(tile)) && !this.#waiting.has(nameOf(tile)));
    for (const tile of open) void this.#askTile(tile, this.#questions);
    if (this.#waiting.size === 0) this.#settle(names);
  }

  #isAnswered(name: string): boolean {
    return this.#shown.get(name)?.key === this.#key || this.#failed.has(name);
  }

  /** Tiles of other zooms stay until the visible ones arrive: maplibre shows them meanwhile. */
  #settle(inView: ReadonlySet<string>): void {
    this.#drop([...this.#shown.keys()].filter((name) => !inView.has(name)));
    const counts = this.#cellCounts();
    if (counts.length > 0) this.#listener.onCells(counts);
    this.#tellSettled();
  }

  #tellSettled(): void {
    if (this.#waiting.size === 0 && this.#lots.isDone) this.#listener.onSettled(true);
  }

  async #askTile(tile: TilePlace, questions: MatchQuestions): Promise<void> {
    const name = nameOf(tile);
    const controller = new AbortController();
    const { signal } = controller;
    this.#waiting.set(name, controller);
    try {
      const isLots = tile.z >= lotsFrom;
      const counts = isLots
        ? await questions.lots(tile, signal)
        : new Map((await questions.cells(tile, signal)).map(({ id, count }) => [id, count]));
      if (!signal.aborted) this.#put(name, { key: this.#key, counts, isLots, hasLabels: tile.z >= labelsFrom });
    } catch (error) {
      if (!signal.aborted) {
        this.#failed.add(name);
        this.#listener.onError(error);
      }
    }
    if (signal.aborted) return;
    this.#waiting.delete(name);
    if (this.#waiting.size === 0) this.#refresh();
  }

  #put(name: string, next: Shown): void {
    const before = this.#shown.get(name);
    this.#shown.set(name, next);
    for (const [id, count] of next.counts) if (before?.counts.get(id) !== count) this.#set(next, id, count);
    for (const id of before?.counts.keys() ?? []) if (!next.counts.has(id)) this.#set(next, id, 0);
    if (!next.isLots) this.#listener.onCells(this.#cellCounts());
  }

  #cellCounts(): number[] {
    return [...this.#shown.values()].flatMap(({ isLots, counts }) => (isLots ? [] : [...counts.values()]));
  }

  #drop(names: readonly string[]): void {
    // Usual case: the map moved within the loaded area.
    if (names.length === 0) return;
    const gone = names.flatMap((name) => this.#shown.get(name) ?? []);
    for (const name of names) this.#shown.delete(name);
    // A lot may extend into remaining tiles.
    const still = [...this.#shown.values()].filter(({ isLots }) => isLots);
    const kept = new Set(still.flatMap(({ counts }) => [...counts.keys()]));
    for (const { isLots, hasLabels, counts } of gone) {
      for (const id of counts.keys()) {
        if (!isLots) this.#setCell(id, 0);
        else if (!kept.has(id)) this.#lots.clear(id, hasLabels);
      }
    }
  }

  #set({ isLots, hasLabels }: Shown, id: number, count: number): void {
    if (isLots) this.#lots.set(id, count, hasLabels);
    else this.#setCell(id, count);
  }

  #setCell(id: number, count: number): void {
    this.#map.setFeatureState({ source: parcelSource, sourceLayer: 'density', id }, { count });
  }
}

/** Throttles work: runs it at most once per interval, always including the last request. */
interface Later {
  readonly ask: () => void;
  readonly stop: () => void;
}

function throttled(work: () => void, milliseconds: number): Later {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    ask: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        work();
      }, milliseconds);
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
