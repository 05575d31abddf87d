/**
 * A layer in memory for search: all coordinates in one array that worker threads share, cut into pieces of few vertices,
 * and an rbush over the pieces' boxes, which finds the pieces near a parcel.
 */
import RBush from 'rbush';
import { acresOfMultiPolygon } from '../geo/area.ts';
import { type Bounds, boundsOfCoordinates, type MultiPolygon, type PolygonRings } from '../geo/geometry.ts';
import type { LineSegments } from '../geo/near-length.ts';
import { pointOnSurface } from '../geo/point-on-surface.ts';
import { subdividePolygon } from '../geo/subdivide.ts';

/** Segments of one piece of a line. */
const segmentsPerPiece = 8;
const firstCapacity = 4096;

/** Arrays over shared memory: a worker reads them without a copy. */
export interface PackedLayer {
  /** degrees */
  readonly coordinates: Float64Array;
  /** where each part (ring, line or point) begins in `coordinates`; one more at the end */
  readonly partStarts: Uint32Array;
  /** where each piece begins in the parts; one more at the end */
  readonly pieceStarts: Uint32Array;
  /** number of each piece's feature */
  readonly pieceFeature: Uint32Array;
  /** class of each feature */
  readonly featureClass: Uint16Array;
  /** acres of each feature; 0 for lines */
  readonly featureAcres: Float64Array;
}

class GrowingArray<Kind extends Float64Array | Uint32Array | Uint16Array> {
  length = 0;
  #array: Kind;
  readonly #make: (length: number) => Kind;

  constructor(make: (length: number) => Kind) {
    this.#make = make;
    this.#array = make(firstCapacity);
  }

  push(value: number): void {
    this.#reserve(1);
    this.#array[this.length++] = value;
  }

  pushAll(values: Float64Array): void {
    this.#reserve(values.length);
    this.#array.set(values, this.length);
    this.length += values.length;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#array.length) return;
    const larger = this.#make(Math.max(this.#array.length * 2, this.length + more));
    larger.set(this.#array.subarray(0, this.length));
    this.#array = larger;
  }

  finish(): Kind {
    const exact = this.#make(this.length);
    exact.set(this.#array.subarray(0, this.length));
    return exact;
  }
}

const doubles = (length: number) => new Float64Array(new SharedArrayBuffer(length * 8));
const words = (length: number) => new Uint32Array(new SharedArrayBuffer(length * 4));
const halfWords = (length: number) => new Uint16Array(new SharedArrayBuffer(length * 2));

/** Packs features one by one, so that a state's file is never in memory as objects. */
export class LayerPacker {
  readonly #coordinates = new GrowingArray(doubles);
  readonly #partStarts = new GrowingArray(words);
  readonly #pieceStarts = new GrowingArray(words);
  readonly #pieceFeature = new GrowingArray(words);
  readonly #featureClass = new GrowingArray(halfWords);
  readonly #featureAcres = new GrowingArray(doubles);

  get featureCount(): number {
    return this.#featureClass.length;
  }

  addPolygons(polygons: MultiPolygon, featureClass: number): void {
    for (const polygon of polygons) {
      for (const piece of subdividePolygon(polygon)) this.#addPiece(piece);
    }
    this.#endFeature(featureClass, acresOfMultiPolygon(polygons));
  }

  /** Adds a footprint by its point on surface. */
  addAsPoint(polygons: MultiPolygon, featureClass: number): void {
    this.#addPiece([Float64Array.from(pointOnSurface(polygons))]);
    this.#endFeature(featureClass, acresOfMultiPolygon(polygons));
  }

  addLines(lines: readonly Float64Array[], featureClass: number): void {
    for (const line of lines) {
      for (let start = 0; start + 2 < line.length; start += 2 * segmentsPerPiece) {
        this.#addPiece([line.subarray(start, start + 2 * segmentsPerPiece + 2)]);
      }
    }
    this.#endFeature(featureClass, 0);
  }

  /** Adds a feature that is stored but does not affect parcels. */
  addNothing(): void {
    this.#endFeature(0, 0);
  }

  #addPiece(parts: readonly Float64Array[]): void {
    this.#pieceStarts.push(this.#partStarts.length);
    this.#pieceFeature.push(this.featureCount);
    for (const part of parts) {
      this.#partStarts.push(this.#coordinates.length);
      this.#coordinates.pushAll(part);
    }
  }

  #endFeature(featureClass: number, acres: number): void {
    this.#featureClass.push(featureClass);
    this.#featureAcres.push(acres);
  }

  finish(): PackedLayer {
    this.#pieceStarts.push(this.#partStarts.length);
    this.#partStarts.push(this.#coordinates.length);
    return {
      coordinates: this.#coordinates.finish(),
      partStarts: this.#partStarts.finish(),
      pieceStarts: this.#pieceStarts.finish(),
      pieceFeature: this.#pieceFeature.finish(),
      featureClass: this.#featureClass.finish(),
      featureAcres: this.#featureAcres.finish(),
    };
  }
}

interface Piece extends Bounds {
  readonly number: number;
}

export class LayerIndex {
  readonly #layer: PackedLayer;
  readonly #tree = new RBush<Piece>();

  constructor(layer: PackedLayer) {
    this.#layer = layer;
    const pieces = Array.from({ length: layer.pieceFeature.length }, (_, number) => ({
      ...boundsOfCoordinates(this.parts(number)),
      number,
    }));
    this.#tree.load(pieces);
  }

  /** Indexes of the pieces whose boxes intersect a box, in layer order, so that answers do not depend on the tree. */
  find(box: Bounds): number[] {
    const pieces = this.#tree.search(box).map(({ number }) => number);
    return pieces.length > 1 ? pieces.sort((a, b) => a - b) : pieces;
  }

  /** A polygon's rings, a line, or a point, as views. */
  parts(piece: number): Float64Array[] {
    const { coordinates, partStarts, pieceStarts } = this.#layer;
    const parts: Float64Array[] = [];
    for (let part = pieceStarts[piece] as number; part < (pieceStarts[piece + 1] as number); part++) {
      parts.push(coordinates.subarray(partStarts[part], partStarts[part + 1]));
    }
    return parts;
  }

  polygon(piece: number): PolygonRings {
    return this.parts(piece);
  }

  featureOf(piece: number): number {
    return this.#layer.pieceFeature[piece] as number;
  }

  classOf(piece: number): number {
    return this.#layer.featureClass[this.featureOf(piece)] as number;
  }

  acresOf(feature: number): number {
    return this.#layer.featureAcres[feature] as number;
  }

  /** The segments of the lines (or boundaries) near a box. */
  segments(box: Bounds): LineSegments {
    const found = { coordinates: [] as number[], classes: [] as number[], features: [] as number[] };
    for (const piece of this.find(box)) {
      const feature = this.featureOf(piece);
      const featureClass = this.classOf(piece);
      for (const line of this.parts(piece)) {
        for (let at = 0; at + 3 < line.length; at += 2) {
          const [ax, ay, bx, by] = line.subarray(at, at + 4) as unknown as [number, number, number, number];
          found.coordinates.push(ax, ay, bx, by);
          found.classes.push(featureClass);
          found.features.push(feature);
        }
      }
    }
    return found;
  }
}

/** Each once, ascending. */
export const distinct = (features: Iterable<number>): number[] => [...new Set(features)].sort((a, b) => a - b);
