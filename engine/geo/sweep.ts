/** The sweep of covered-area.ts: turns rings into strips in which no edge begins, ends or crosses another. */
import type { Ring } from './geometry.ts';

export interface SweepRing {
  readonly ring: Ring;
  /** Number of its polygon, from 0. */
  readonly polygon: number;
  readonly isHole: boolean;
  /** 0: the parcel; n: class n − 1 of the covering polygons. */
  readonly group: number;
}

/** Heights and widths in degrees, heights relative to the origin. Reused from strip to strip. */
export interface Strip {
  bottom: number;
  top: number;
  /** Mean width inside the parcel [0], and inside the parcel and class n − 1 [n]. */
  readonly widths: Float64Array;
  /** Mean width inside the parcel and any class. */
  coveredWidth: number;
}

/** Crossings with a smaller overlap (0.1 µm) are rounding of coinciding edges: they enclose nothing. */
const minOverlapDegrees = 1e-12;

export class Sweep {
  readonly #strip: Strip;
  // per ring
  readonly #ringPolygon: Int32Array;
  readonly #ringIsHole: Uint8Array;
  /** Its group if it is the only ring of its polygon, as most are; else −1. */
  readonly #loneRingGroup: Int32Array;
  readonly #winding: Int32Array;
  // per polygon
  readonly #exteriorsAround: Int32Array;
  readonly #holesAround: Int32Array;
  readonly #polygonGroup: Int32Array;
  /** Polygons of each group around the current place on the line. */
  readonly #groupCount: Int32Array;
  #coveringCount = 0;
  // per edge, lower end first
  readonly #lowX: Float64Array;
  readonly #lowY: Float64Array;
  readonly #highX: Float64Array;
  readonly #highY: Float64Array;
  readonly #slope: Float64Array;
  readonly #direction: Int8Array;
  readonly #edgeRing: Int32Array;
  #edgeCount = 0;
  // per active edge
  readonly #active: Int32Array;
  #activeCount = 0;
  readonly #bottomX: Float64Array;
  readonly #topX: Float64Array;
  readonly #middleX: Float64Array;

  /** @param rings grouped by polygon @param groupCount the parcel and the classes */
  constructor(rings: readonly SweepRing[], polygonCount: number, groupCount: number, originX: number, originY: number) {
    const most = rings.reduce((sum, { ring }) => sum + ring.length / 2, 0);
    this.#strip = { bottom: 0, top: 0, widths: new Float64Array(groupCount), coveredWidth: 0 };
    this.#ringPolygon = Int32Array.from(rings, ({ polygon }) => polygon);
    this.#ringIsHole = Uint8Array.from(rings, ({ isHole }) => (isHole ? 1 : 0));
    this.#winding = new Int32Array(rings.length);
    this.#exteriorsAround = new Int32Array(polygonCount);
    this.#holesAround = new Int32Array(polygonCount);
    this.#polygonGroup = new Int32Array(polygonCount);
    this.#groupCount = new Int32Array(groupCount);
    this.#lowX = new Float64Array(most);
    this.#lowY = new Float64Array(most);
    this.#highX = new Float64Array(most);
    this.#highY = new Float64Array(most);
    this.#slope = new Float64Array(most);
    this.#direction = new Int8Array(most);
    this.#edgeRing = new Int32Array(most);
    this.#active = new Int32Array(most);
    this.#bottomX = new Float64Array(most);
    this.#topX = new Float64Array(most);
    this.#middleX = new Float64Array(most);
    this.#loneRingGroup = new Int32Array(rings.length);
    for (const [index, { ring, polygon, isHole, group }] of rings.entries()) {
      const isLone = !isHole && rings[index - 1]?.polygon !== polygon && rings[index + 1]?.polygon !== polygon;
      this.#loneRingGroup[index] = isLone ? group : -1;
      this.#polygonGroup[polygon] = group;
      this.#addEdges(ring, index, originX, originY);
    }
  }

  /**
   * Relative to the origin: otherwise a small lot would lose its digits to its longitude. Level edges enclose nothing.
   */
  #addEdges(ring: Ring, ringIndex: number, originX: number, originY: number): void {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const ax = (ring[at] as number) - originX;
      const ay = (ring[at + 1] as number) - originY;
      const bx = (ring[at + 2] as number) - originX;
      const by = (ring[at + 3] as number) - originY;
      if (ay === by) continue;
      const edge = this.#edgeCount++;
      const isUp = by > ay;
      this.#lowX[edge] = isUp ? ax : bx;
      this.#lowY[edge] = isUp ? ay : by;
      this.#highX[edge] = isUp ? bx : ax;
      this.#highY[edge] = isUp ? by : ay;
      this.#slope[edge] = (bx - ax) / (by - ay);
      this.#direction[edge] = isUp ? 1 : -1;
      this.#edgeRing[edge] = ringIndex;
    }
  }

  /** @param onStrip receives every strip that the parcel meets, from south to north; the strip object is reused */
  run(onStrip: (strip: Strip) => void): void {
    const count = this.#edgeCount;
    const heights = new Float64Array(count * 2);
    heights.set(this.#lowY.subarray(0, count));
    heights.set(this.#highY.subarray(0, count), count);
    heights.sort();
    const order = Uint32Array.from({ length: count }, (_, index) => index).sort(
      (a, b) => (this.#lowY[a] as number) - (this.#lowY[b] as number),
    );
    let next = 0;
    for (let index = 0; index + 1 < heights.length; index++) {
      const bottom = heights[index] as number;
      const top = heights[index + 1] as number;
      if (top === bottom) continue;
      this.#dropEnded(bottom);
      for (; next < count && this.#lowY[order[next] as number] === bottom; next++) {
        const edge = order[next] as number;
        this.#active[this.#activeCount++] = edge;
        this.#topX[edge] = this.#lowX[edge] as number;
      }
      if (this.#activeCount > 0) this.#sweepStrip(bottom, top, onStrip);
    }
  }

  #dropEnded(bottom: number): void {
    let kept = 0;
    for (let index = 0; index < this.#activeCount; index++) {
      const edge = this.#active[index] as number;
      if ((this.#highY[edge] as number) > bottom) this.#active[kept++] = edge;
    }
    this.#activeCount = kept;
  }

  /** The tops of the previous strip are the bottoms of this one. */
  #sweepStrip(bottom: number, top: number, onStrip: (strip: Strip) => void): void {
    for (let index = 0; index < this.#activeCount; index++) {
      const edge = this.#active[index] as number;
      const from = this.#topX[edge] as number;
      const to = this.#xAt(edge, top);
      this.#bottomX[edge] = from;
      this.#topX[edge] = to;
      this.#middleX[edge] = (from + to) / 2;
    }
    this.#sortActive(this.#middleX);
    if (this.#isInOrder()) {
      this.#measure(bottom, top, onStrip);
      return;
    }
    const cuts = this.#findCrossings();
    for (let index = 0; index + 1 < cuts.length; index++) {
      const low = cuts[index] as number;
      const high = cuts[index + 1] as number;
      if (high === low) continue;
      this.#sortAt((low + high) / 2);
      this.#measure(bottom + low * (top - bottom), bottom + high * (top - bottom), onStrip);
    }
  }

  /** Takes the upper end unchanged, so that edges that meet there meet exactly. */
  #xAt(edge: number, y: number): number {
    if (y === this.#highY[edge]) return this.#highX[edge] as number;
    return (this.#lowX[edge] as number) + (y - (this.#lowY[edge] as number)) * (this.#slope[edge] as number);
  }

  /** Edges that do not cross keep their order from the bottom to the top of the strip. */
  #isInOrder(): boolean {
    let furthestBottom = Number.NEGATIVE_INFINITY;
    let furthestTop = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < this.#activeCount; index++) {
      const edge = this.#active[index] as number;
      const bottom = this.#bottomX[edge] as number;
      const top = this.#topX[edge] as number;
      if (furthestBottom - bottom > minOverlapDegrees || furthestTop - top > minOverlapDegrees) return false;
      if (bottom > furthestBottom) furthestBottom = bottom;
      if (top > furthestTop) furthestTop = top;
    }
    return true;
  }

  /** Where edges cross within the strip, as shares of its height, with 0 and 1. */
  #findCrossings(): number[] {
    const bottomX = this.#bottomX;
    const topX = this.#topX;
    this.#sortActive(bottomX);
    const cuts = [0, 1];
    const active = this.#active;
    let furthestTop = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < this.#activeCount; index++) {
      const edge = active[index] as number;
      const edgeTop = topX[edge] as number;
      if (furthestTop - edgeTop <= minOverlapDegrees) {
        furthestTop = Math.max(furthestTop, edgeTop);
        continue;
      }
      // some edge west of this one ends east of it
      for (let before = 0; before < index; before++) {
        const other = active[before] as number;
        const overlap = (topX[other] as number) - edgeTop;
        if (overlap <= minOverlapDegrees) continue;
        const gap = (bottomX[edge] as number) - (bottomX[other] as number);
        if (gap > minOverlapDegrees) cuts.push(gap / (gap + overlap));
      }
    }
    return cuts.sort((a, b) => a - b);
  }

  /** Sorts edges at a share of the strip's height. */
  #sortAt(share: number): void {
    for (let index = 0; index < this.#activeCount; index++) {
      const edge = this.#active[index] as number;
      const from = this.#bottomX[edge] as number;
      this.#middleX[edge] = from + share * ((this.#topX[edge] as number) - from);
    }
    this.#sortActive(this.#middleX);
  }

  /** Insertion sort: the order hardly changes from strip to strip. */
  #sortActive(x: Float64Array): void {
    const active = this.#active;
    for (let index = 1; index < this.#activeCount; index++) {
      const edge = active[index] as number;
      const value = x[edge] as number;
      let at = index;
      while (at > 0 && (x[active[at - 1] as number] as number) > value) {
        active[at] = active[at - 1] as number;
        at--;
      }
      active[at] = edge;
    }
  }

  /**
   * Adds up the row of trapezoids between two heights between which the edges keep their order, taken at mid-height.
   */
  #measure(bottom: number, top: number, onStrip: (strip: Strip) => void): void {
    const strip = this.#strip;
    strip.widths.fill(0);
    strip.coveredWidth = 0;
    let west = 0;
    for (let index = 0; index < this.#activeCount; index++) {
      const edge = this.#active[index] as number;
      const east = this.#middleX[edge] as number;
      if ((this.#groupCount[0] as number) > 0) this.#addWidth(east - west);
      this.#passEdge(edge);
      west = east;
    }
    strip.bottom = bottom;
    strip.top = top;
    if ((strip.widths[0] as number) > 0) onStrip(strip);
  }

  #addWidth(width: number): void {
    const { widths } = this.#strip;
    widths[0] = (widths[0] as number) + width;
    if (this.#coveringCount === 0) return;
    this.#strip.coveredWidth += width;
    for (let group = 1; group < widths.length; group++) {
      if ((this.#groupCount[group] as number) > 0) widths[group] = (widths[group] as number) + width;
    }
  }

  /** After the last edge of a row every ring has been left again: rings are closed. */
  #passEdge(edge: number): void {
    const ring = this.#edgeRing[edge] as number;
    const before = this.#winding[ring] as number;
    const after = before + (this.#direction[edge] as number);
    this.#winding[ring] = after;
    if ((before === 0) === (after === 0)) return;
    const change = after === 0 ? -1 : 1;
    const group = this.#loneRingGroup[ring] as number;
    if (group >= 0) this.#changeGroup(group, change);
    else this.#changePolygon(ring, change);
  }

  #changeGroup(group: number, change: number): void {
    this.#groupCount[group] = (this.#groupCount[group] as number) + change;
    if (group > 0) this.#coveringCount += change;
  }

  #changePolygon(ring: number, change: number): void {
    const polygon = this.#ringPolygon[ring] as number;
    const wasInside = this.#isInside(polygon);
    const counts = this.#ringIsHole[ring] === 1 ? this.#holesAround : this.#exteriorsAround;
    counts[polygon] = (counts[polygon] as number) + change;
    const isInside = this.#isInside(polygon);
    if (isInside !== wasInside) this.#changeGroup(this.#polygonGroup[polygon] as number, isInside ? 1 : -1);
  }

  #isInside(polygon: number): boolean {
    return (this.#exteriorsAround[polygon] as number) > 0 && this.#holesAround[polygon] === 0;
  }
}
