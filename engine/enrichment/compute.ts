/** Computes findings from a layer and parcels, in a worker thread or, with one core, in this thread. */
import type { MultiPolygon } from '../geo/geometry.ts';
import { buildingsOf } from './buildings.ts';
import { type Coverage, coverageTest, outsideCoverage } from './coverage.ts';
import type { EnrichmentSettings } from './enrichment-settings.ts';
import { floodZonesOf } from './flood-zones.ts';
import { LayerIndex, type PackedLayer } from './layer-index.ts';
import { type Finding, type LayerKind, layerKinds, unknownFor } from './layer-kinds.ts';
import { chunkLength, type ParcelChunk, pointOf, shapeOf } from './parcel-chunk.ts';
import { placeOf } from './places.ts';
import { roadsOf } from './roads.ts';
import { surveyAt, surveyOf } from './survey.ts';
import { readSurveyPlace, type SurveyPlace } from './survey-features.ts';
import { waterOf } from './water.ts';
import { wetlandsOf } from './wetlands.ts';

/** The input of a computation; can be sent to a worker. */
export interface ComputeContext {
  readonly kind: LayerKind;
  readonly settings: EnrichmentSettings;
  readonly coverage: Coverage;
  readonly packed: PackedLayer;
  /** Names of the classes: flood zones, districts, ZIPs. */
  readonly classNames: readonly string[];
}

/** The finding for one parcel; `isRoad` only for the roads layer. */
export interface ParcelFinding extends Finding {
  readonly isRoad?: boolean;
}

const noGeometry = 'the parcel has no boundary';
const noPoint = 'the parcel has no place';
const damagedGeometry = 'the boundary of the parcel is damaged';

export class LayerComputer {
  readonly #context: ComputeContext;
  readonly #layer: LayerIndex;
  /** By class, for the public land survey. */
  readonly #surveyPlaces: readonly SurveyPlace[];
  readonly #covers: (parcel: MultiPolygon) => boolean;

  constructor(context: ComputeContext) {
    this.#context = context;
    this.#layer = new LayerIndex(context.packed);
    this.#surveyPlaces = context.kind === 'plss' ? context.classNames.map(readSurveyPlace) : [];
    this.#covers = layerKinds[context.kind].needsCoverage ? coverageTest(context.coverage) : () => true;
  }

  /** One finding for each parcel of the chunk, in its order. */
  compute(chunk: ParcelChunk): ParcelFinding[] {
    return Array.from({ length: chunkLength(chunk) }, (_, index) => this.#findingOf(chunk, index));
  }

  #findingOf(chunk: ParcelChunk, index: number): ParcelFinding {
    const { kind } = this.#context;
    if (kind === 'schools' || kind === 'zips') return this.#place(chunk, index);
    let shape: MultiPolygon | null;
    try {
      shape = shapeOf(chunk, index);
    } catch {
      return unknownFor(kind, damagedGeometry);
    }
    if (shape !== null) return this.shapeFinding(shape);
    return kind === 'plss' ? this.#place(chunk, index) : unknownFor(kind, noGeometry);
  }

  /** The finding for a shape; unknown outside the coverage. */
  shapeFinding(shape: MultiPolygon): ParcelFinding {
    const { kind, settings, classNames, coverage } = this.#context;
    if (!this.#covers(shape)) return unknownFor(kind, outsideCoverage);
    switch (kind) {
      case 'wetlands':
        return wetlandsOf(shape, this.#layer);
      case 'flood':
        return floodZonesOf(shape, this.#layer, classNames, coverage.kind === 'features');
      case 'buildings':
        return buildingsOf(shape, this.#layer);
      case 'water':
        return waterOf(shape, this.#layer, settings.reachFeet);
      case 'plss':
        return surveyOf(shape, this.#layer, this.#surveyPlaces);
      case 'roads':
        return roadsOf(shape, this.#layer, settings.reachFeet);
      default:
        throw new Error(`${kind} is not computed from shapes`);
    }
  }

  #place(chunk: ParcelChunk, index: number): ParcelFinding {
    const point = pointOf(chunk, index);
    return point === null
      ? unknownFor(this.#context.kind, noPoint)
      : this.pointFinding(point, chunk.mailingZips[index] ?? null);
  }

  /** The finding for a point on surface. @param mailingZip of the owner, for ZIP layers */
  pointFinding(point: readonly [number, number], mailingZip: string | null): ParcelFinding {
    const { kind, classNames } = this.#context;
    if (kind === 'plss') return surveyAt(point, this.#layer, this.#surveyPlaces);
    const finding = placeOf(kind, point, this.#layer, classNames);
    if (kind !== 'zips' || finding.reason !== null) return finding;
    const zip = String(finding.values[0]);
    const isOther = mailingZip === null ? null : mailingZip.startsWith(zip) ? 0 : 1;
    return { ...finding, values: [zip, isOther] };
  }
}
