/**
 * Writes Mapbox Vector Tiles, version 2 (https://github.com/mapbox/vector-tile-spec/tree/master/2.1), directly from numbers.
 * @maplibre/vt-pbf needs an object per vertex and feature; `test/bench/tiles.ts` compares the two.
 */

import { NumberCodes } from '../columns/number-codes.ts';

/** A tile is this many units wide. */
export const extent = 4096;

export type Attribute = string | number | boolean | null;

const pointType = 1;
const lineType = 2;
const polygonType = 3;

const moveTo = 1;
const lineTo = 2;
/** The ClosePath command with count 1. */
const closePath = 15;

const leastBytes = 1024;
const utf8 = new TextEncoder();
const onePoint = new Int32Array(2);
const oneDouble = new DataView(new ArrayBuffer(8));
const oneDoubleBytes = new Uint8Array(oneDouble.buffer);
/** Up to this many distinct numbers of a layer are written once and shared. */
const mostNumbers = 65_535;
const usualNumbers = 1024;
/** Up to this length a loop copies faster than creating a view. */
const fewBytes = 100;

/** A growing protocol buffer. */
class Bytes {
  #bytes = new Uint8Array(leastBytes);
  length = 0;

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }

  /** A whole number from 0 up to 2⁵³. */
  varint(value: number): void {
    this.#reserve(8);
    const bytes = this.#bytes;
    let at = this.length;
    let rest = value;
    // Shifts would lose bits above the 31st.
    for (; rest >= 0x80000000; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 128;
    for (; rest >= 128; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
    bytes[at++] = rest;
    this.length = at;
  }

  /** The steps from corner to corner, each two signed numbers in zigzag encoding. */
  steps(points: Int32Array, from: number, to: number, startX: number, startY: number): void {
    // A 32-bit number takes at most five bytes.
    this.#reserve((to - from) * 5);
    const bytes = this.#bytes;
    let at = this.length;
    let x = startX;
    let y = startY;
    for (let index = from; index < to; index += 2) {
      const nextX = points[index] as number;
      const nextY = points[index + 1] as number;
      let rest = (((nextX - x) << 1) ^ ((nextX - x) >> 31)) >>> 0;
      for (; rest >= 128; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
      bytes[at++] = rest;
      rest = (((nextY - y) << 1) ^ ((nextY - y) >> 31)) >>> 0;
      for (; rest >= 128; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
      bytes[at++] = rest;
      x = nextX;
      y = nextY;
    }
    this.length = at;
  }

  double(value: number): void {
    this.#reserve(8);
    oneDouble.setFloat64(0, value, true);
    for (let index = 0; index < 8; index++) this.#bytes[this.length++] = oneDoubleBytes[index] as number;
  }

  text(value: string): void {
    if (this.#shortText(value)) return;
    const bytes = utf8.encode(value);
    this.varint(bytes.length);
    this.#put(bytes);
  }

  /** Most texts are a few ASCII letters; calling the encoder would cost more than writing them here. */
  #shortText(value: string): boolean {
    const { length } = value;
    if (length >= 128) return false;
    this.#reserve(length + 1);
    const bytes = this.#bytes;
    const start = this.length + 1;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code >= 128) return false;
      bytes[start + index] = code;
    }
    bytes[start - 1] = length;
    this.length = start + length;
    return true;
  }

  /** Another message as a field of this one. */
  message(tag: number, bytes: Bytes): void {
    this.varint(tag);
    this.varint(bytes.length);
    this.append(bytes);
  }

  /** Whole numbers from 0 up to 2³¹. */
  smallNumbers(values: Int32Array, count: number): void {
    this.#reserve(count * 5);
    const bytes = this.#bytes;
    let at = this.length;
    for (let index = 0; index < count; index++) {
      let rest = values[index] as number;
      for (; rest >= 128; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
      bytes[at++] = rest;
    }
    this.length = at;
  }

  append(other: Bytes): void {
    const from = other.#bytes;
    const { length } = other;
    if (length > fewBytes) {
      this.#put(from.subarray(0, length));
      return;
    }
    this.#reserve(length);
    const bytes = this.#bytes;
    const start = this.length;
    for (let index = 0; index < length; index++) bytes[start + index] = from[index] as number;
    this.length = start + length;
  }

  #put(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

function varintBytes(value: number): number {
  if (value < 128) return 1;
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}

/** Field numbers combined with their wire types. */
const tags = {
  tileLayer: 0x1a,
  layerVersion: 0x78,
  layerName: 0x0a,
  layerFeature: 0x12,
  layerKey: 0x1a,
  layerValue: 0x22,
  layerExtent: 0x28,
  featureId: 0x08,
  featureTags: 0x12,
  featureType: 0x18,
  featureGeometry: 0x22,
  valueText: 0x0a,
  valueDouble: 0x19,
  valueUint: 0x28,
  valueBool: 0x38,
} as const;

/**
 * Writes one layer: for each feature first its geometry (`point`, `ring`s or `line`s), then `feature`, which ends it.
 * Coordinates are whole tile units.
 */
export class LayerWriter {
  readonly name: string;
  readonly #keys: readonly string[];
  readonly #features = new Bytes();
  readonly #values = new Bytes();
  #valueCount = 0;
  readonly #valuePlaces = new Map<string | boolean, number>();
  /** Most values are different numbers; a Map would take twice as long. */
  readonly #numbers = new NumberCodes(mostNumbers, usualNumbers * 4);
  /** By the code of the number. */
  #numberPlaces = new Int32Array(usualNumbers);
  readonly #geometry = new Bytes();
  /** Key and value of each attribute of the current feature. */
  readonly #tags: Int32Array;
  readonly #value = new Bytes();
  #type = 0;
  #x = 0;
  #y = 0;
  #count = 0;

  /** @param keys attribute names, in the order of the values of `feature` */
  constructor(name: string, keys: readonly string[]) {
    this.name = name;
    this.#keys = keys;
    this.#tags = new Int32Array(keys.length * 2);
  }

  /** Features so far. */
  get count(): number {
    return this.#count;
  }

  /** Whether the current feature has geometry. */
  get hasGeometry(): boolean {
    return this.#geometry.length > 0;
  }

  point(x: number, y: number): void {
    onePoint[0] = x;
    onePoint[1] = y;
    this.#type = pointType;
    this.#path(onePoint, 1);
  }

  /** @param points `[x0, y0, x1, y1, …]`, not closed, at least three; exteriors of positive area with y down, holes of negative */
  ring(points: Int32Array, count: number): void {
    this.#type = polygonType;
    this.#path(points, count);
    this.#geometry.varint(closePath);
  }

  /** @param points at least two */
  line(points: Int32Array, count: number): void {
    this.#type = lineType;
    this.#path(points, count);
  }

  #path(points: Int32Array, count: number): void {
    const geometry = this.#geometry;
    geometry.varint(moveTo | (1 << 3));
    geometry.steps(points, 0, 2, this.#x, this.#y);
    if (count > 1) {
      geometry.varint((lineTo | (count << 3)) - (1 << 3));
      geometry.steps(points, 2, count * 2, points[0] as number, points[1] as number);
    }
    this.#x = points[count * 2 - 2] as number;
    this.#y = points[count * 2 - 1] as number;
  }

  /** Drops the geometry of the current feature. */
  discard(): void {
    this.#geometry.length = 0;
    this.#x = 0;
    this.#y = 0;
  }

  /** Ends a feature; without geometry nothing is written. @param values one for each key; null leaves it out */
  feature(id: number, values: readonly Attribute[]): void {
    if (!this.hasGeometry) return;
    const tagCount = this.#readTags(values);
    let tagBytes = 0;
    for (let index = 0; index < tagCount; index++) tagBytes += varintBytes(this.#tags[index] as number);
    const features = this.#features;
    const geometryBytes = this.#geometry.length;
    const length =
      3 +
      varintBytes(id) +
      (tagBytes > 0 ? 1 + varintBytes(tagBytes) + tagBytes : 0) +
      1 +
      varintBytes(geometryBytes) +
      geometryBytes;
    features.varint(tags.layerFeature);
    features.varint(length);
    features.varint(tags.featureId);
    features.varint(id);
    if (tagBytes > 0) {
      features.varint(tags.featureTags);
      features.varint(tagBytes);
      features.smallNumbers(this.#tags, tagCount);
    }
    features.varint(tags.featureType);
    features.varint(this.#type);
    features.message(tags.featureGeometry, this.#geometry);
    this.#count++;
    this.discard();
  }

  /** @returns how many numbers of `#tags` are the feature's */
  #readTags(values: readonly Attribute[]): number {
    let count = 0;
    for (let key = 0; key < values.length; key++) {
      const value = values[key] ?? null;
      if (value === null) continue;
      this.#tags[count++] = key;
      this.#tags[count++] = typeof value === 'number' ? this.#placeOfNumber(value) : this.#placeOf(value);
    }
    return count;
  }

  #placeOf(value: string | boolean): number {
    const known = this.#valuePlaces.get(value);
    if (known !== undefined) return known;
    this.#valuePlaces.set(value, this.#valueCount);
    return this.#addValue(value);
  }

  #placeOfNumber(value: number): number {
    const before = this.#numbers.count;
    const code = this.#numbers.codeOf(value);
    if (code > 0 && code <= before) return this.#numberPlaces[code] as number;
    // Numbers beyond the limit are written each time.
    if (code > 0) {
      if (code >= this.#numberPlaces.length) this.#numberPlaces = grown(this.#numberPlaces);
      this.#numberPlaces[code] = this.#valueCount;
    }
    return this.#addValue(value);
  }

  #addValue(value: string | number | boolean): number {
    this.#value.length = 0;
    writeValue(this.#value, value);
    this.#values.message(tags.layerValue, this.#value);
    return this.#valueCount++;
  }

  /** @internal */
  writeTo(tile: Bytes): void {
    const layer = new Bytes();
    layer.varint(tags.layerVersion);
    layer.varint(2);
    layer.varint(tags.layerName);
    layer.text(this.name);
    layer.append(this.#features);
    for (const key of this.#keys) {
      layer.varint(tags.layerKey);
      layer.text(key);
    }
    layer.append(this.#values);
    layer.varint(tags.layerExtent);
    layer.varint(extent);
    tile.message(tags.tileLayer, layer);
  }
}

function grown(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(numbers.length * 2);
  longer.set(numbers);
  return longer;
}

function writeValue(bytes: Bytes, value: string | number | boolean): void {
  if (typeof value === 'string') {
    bytes.varint(tags.valueText);
    bytes.text(value);
  } else if (typeof value === 'boolean') {
    bytes.varint(tags.valueBool);
    bytes.varint(Number(value));
  } else if (Number.isSafeInteger(value) && value >= 0) {
    bytes.varint(tags.valueUint);
    bytes.varint(value);
  } else {
    bytes.varint(tags.valueDouble);
    bytes.double(value);
  }
}

/** A tile of the non-empty layers; null if all are empty. */
export function writeTile(layers: readonly LayerWriter[]): Uint8Array | null {
  const filled = layers.filter(({ count }) => count > 0);
  if (filled.length === 0) return null;
  const tile = new Bytes();
  for (const layer of filled) layer.writeTo(tile);
  return tile.view().slice();
}
