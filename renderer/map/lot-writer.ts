/**
 * Sets the states of lots, some thousands per frame: maplibre repaints all pending states at once before the next
 * frame, and tens of thousands would block the window. Where frames are slow, as in software, fewer of them carry more.
 */
import type { MapLibre } from './open-map.ts';
import { type LotState, parcelSource } from './parcel-layers.ts';

/** About 12 ms of maplibre's time; after a slow frame as many for each 50 ms of it, up to three times. */
const mostInFrame = 2500;
const mostAfter = (milliseconds: number): number =>
  mostInFrame * Math.min(3, Math.max(1, Math.floor(milliseconds / 50)));

interface Due {
  readonly number: number;
  readonly hasLabel: boolean;
}

export class LotWriter {
  readonly #map: MapLibre;
  readonly #stateOf: (number: number) => LotState;
  readonly #onDone: () => void;
  /** By lot, oldest first; a later state replaces a pending one. */
  readonly #due = new Map<number, Due>();
  /** Lots out of view to clear once nothing visible is pending; and whether to clear their labels. */
  readonly #leaving = new Map<number, boolean>();
  #frame = 0;
  /** When the last states were set; 0: before these. */
  #written = 0;

  /** @param onDone called when all states are set and drawn */
  constructor(map: MapLibre, stateOf: (number: number) => LotState, onDone: () => void) {
    this.#map = map;
    this.#stateOf = stateOf;
    this.#onDone = onDone;
  }

  get isDone(): boolean {
    return this.#due.size === 0;
  }

  /** @param hasLabel whether the lot's label is visible at this zoom, and must follow */
  set(id: number, number: number, hasLabel: boolean): void {
    const withLabel = hasLabel || this.#due.get(id)?.hasLabel === true || this.#leaving.get(id) === true;
    this.#leaving.delete(id);
    this.#due.set(id, { number, hasLabel: withLabel });
    this.#frame ||= requestAnimationFrame(this.#write);
  }

  /** For a lot out of view: `isDone` does not wait for it. */
  clear(id: number, hasLabel: boolean): void {
    const withLabel = hasLabel || this.#due.get(id)?.hasLabel === true || this.#leaving.get(id) === true;
    this.#due.delete(id);
    this.#leaving.set(id, withLabel);
    this.#frame ||= requestAnimationFrame(this.#write);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    [this.#frame, this.#written] = [0, 0];
    this.#due.clear();
    this.#leaving.clear();
  }

  readonly #write = (time: number): void => {
    this.#frame = 0;
    const hadDue = !this.isDone;
    if (!this.#map.getSource(parcelSource)) this.stop();
    let left = this.#written === 0 ? mostInFrame : mostAfter(time - this.#written);
    this.#written = time;
    for (const [id, { number, hasLabel }] of this.#due) {
      if (left-- === 0) break;
      this.#due.delete(id);
      this.#give(id, this.#stateOf(number), hasLabel);
    }
    for (const [id, hasLabel] of this.#leaving) {
      if (left-- <= 0) break;
      this.#leaving.delete(id);
      this.#give(id, this.#stateOf(0), hasLabel);
    }
    if (this.#due.size + this.#leaving.size > 0) this.#frame = requestAnimationFrame(this.#write);
    else this.#written = 0;
    if (hadDue && this.isDone) this.#onDone();
  };

  #give(id: number, state: LotState, hasLabel: boolean): void {
    this.#map.setFeatureState({ source: parcelSource, sourceLayer: 'parcels', id }, state);
    if (hasLabel) this.#map.setFeatureState({ source: parcelSource, sourceLayer: 'labels', id }, state);
  }
}
