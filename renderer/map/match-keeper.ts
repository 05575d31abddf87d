/**
 * Which lots match the filter, or which tag they have, as feature-state, tile by tile for what is in view. The latest
 * filter wins; what is shown stays until the answer for its tile is there, so that nothing flickers while the user types.
 */
import type { MapLibre } from './open-map.ts';
import { deepestTile, type LotState, lotsFrom, parcelSource } from './parcel-layers.ts';
import { type Later, throttled } from './throttled.ts';

export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export interface Cell {
  readonly id: number;
  readonly count: number;
}

/** What is asked of a tile. */
export interface MatchQuestions {
  /** Parcels in a tile that match, each with the number that its state is made of: more than 0. */
  readonly lots: (tile: TilePlace, signal: AbortSignal) => Promise<ReadonlyMap<number, number>>;
  /** Cells of the grid in which some match, and how many. */
  readonly cells: (tile: TilePlace, signal: AbortSignal) => Promise<readonly Cell[]>;
}

export interface MatchListener {
  /** How many match in each cell in view, whenever that has changed. */
  readonly onCells: (counts: readonly number[]) => void;
  readonly onError: (error: unknown) => void;
  /** All that is in view has been answered. */
  readonly onSettled: () => void;
}

interface Shown {
  /** The question that was answered. */
  readonly key: string;
  /** By feature: the number of a lot, the count of a cell. */
  readonly counts: ReadonlyMap<number, number>;
  readonly isLots: boolean;
}

const nameOf = ({ z, x, y }: TilePlace): string => `${z}/${x}/${y}`;
const moveMilliseconds = 120;

export class MatchKeeper {
  readonly #map: MapLibre;
  readonly #listener: MatchListener;
  readonly #shown = new Map<string, Shown>();
  readonly #waiting = new Map<string, AbortController>();
  /** Tiles whose question failed: not asked again for the same filter. */
  readonly #failed = new Set<string>();
  readonly #soon: Later;
  readonly #stateOf: (number: number) => LotState;
  #key = '';
  #questions: MatchQuestions | null = null;

  /** @param stateOf what a lot is given for its number; 0: for none */
  constructor(map: MapLibre, listener: MatchListener, stateOf: (number: number) => LotState) {
    this.#stateOf = stateOf;
    this.#map = map;
    this.#listener = listener;
    this.#soon = throttled(() => this.#refresh(), moveMilliseconds);
    map.on('move', this.#soon.ask);
    map.on('style.load', this.#soon.ask);
  }

  /** Asks anew, if the question is another one; null: nothing matches, because nothing is asked. */
  ask(key: string, questions: MatchQuestions | null): void {
    if (key === this.#key) return;
    [this.#key, this.#questions] = [key, questions];
    this.#stop();
    this.#failed.clear();
    if (!questions) for (const tile of [...this.#shown.keys()]) this.#drop(tile);
    this.#refresh();
  }

  close(): void {
    this.#questions = null;
    this.#stop();
    this.#soon.stop();
    this.#map.off('move', this.#soon.ask);
    this.#map.off('style.load', this.#soon.ask);
  }

  #stop(): void {
    for (const controller of this.#waiting.values()) controller.abort();
    this.#waiting.clear();
  }

  #refresh(): void {
    if (!this.#questions || !this.#map.getSource(parcelSource)) return;
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

  /** Tiles of other zooms stay until those in view are there: maplibre shows them meanwhile. */
  #settle(inView: ReadonlySet<string>): void {
    for (const name of [...this.#shown.keys()]) if (!inView.has(name)) this.#drop(name);
    this.#listener.onSettled();
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
      if (!signal.aborted) this.#put(name, { key: this.#key, counts, isLots });
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
    for (const [id, count] of next.counts) if (before?.counts.get(id) !== count) this.#set(next.isLots, id, count);
    if (before) this.#unset(before, next.counts);
    if (!next.isLots) this.#listener.onCells(this.#cellCounts());
  }

  #cellCounts(): number[] {
    return [...this.#shown.values()].flatMap(({ isLots, counts }) => (isLots ? [] : [...counts.values()]));
  }

  #drop(name: string): void {
    const gone = this.#shown.get(name);
    this.#shown.delete(name);
    if (!gone) return;
    // A lot may reach into tiles that stay.
    const still = [...this.#shown.values()].filter(({ isLots }) => isLots && gone.isLots);
    const kept = new Set(still.flatMap(({ counts }) => [...counts.keys()]));
    this.#unset(gone, kept);
  }

  #unset({ isLots, counts }: Shown, kept: { has(id: number): boolean }): void {
    for (const id of counts.keys()) if (!kept.has(id)) this.#set(isLots, id, 0);
  }

  #set(isLots: boolean, id: number, count: number): void {
    const source = parcelSource;
    if (!isLots) {
      this.#map.setFeatureState({ source, sourceLayer: 'density', id }, { count });
      return;
    }
    const state = this.#stateOf(count);
    this.#map.setFeatureState({ source, sourceLayer: 'parcels', id }, state);
    this.#map.setFeatureState({ source, sourceLayer: 'labels', id }, state);
  }
}
