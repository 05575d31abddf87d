/**
 * Drawings (DXF): one list of lines, texts and areas, told apart by the layer that each was drawn on. Lots are drawn as closed lines.
 * What encloses nothing is no parcel: an import of parcels leaves it out, and says how much that is.
 */
import { FlatGeometry } from '../../../geo/ring-geometry.ts';
import { EngineError } from '../../../spec/errors.ts';
import type { ParcelFeature } from '../parcel-feature.ts';
import type { ParcelLayer, ParcelSource, ReadOptions } from '../parcel-source.ts';

/** In units of the file: arcs of a closed line end that near to its beginning. */
const nearEnough = 1e-6;

const isClosed = (line: Float64Array): boolean =>
  line.length >= 8 &&
  Math.abs((line[0] as number) - (line.at(-2) as number)) <= nearEnough &&
  Math.abs((line[1] as number) - (line.at(-1) as number)) <= nearEnough;

interface Count {
  areas: number;
  lines: number;
  points: number;
}

/**
 * @param layersBy the property that names the layer
 * @param open opens the whole drawing
 */
export function drawingLayers(
  place: string,
  layersBy: string,
  open: (options: ReadOptions) => ParcelLayer,
  options: ReadOptions,
): Omit<ParcelSource, 'close'> {
  const nameOf = ({ properties }: ParcelFeature) => String(properties[layersBy] ?? '');
  // In units of the file: which layers there are does not depend on its system, which may have to be asked for.
  const { counts, kinds } = countLayers(open({ ...options, crs: 'EPSG:4326' }), nameOf);
  const openLayer = (name: string): ParcelLayer => {
    const count = counts.get(name);
    if (!count) throw new EngineError('import_refused', `${place}: it has no layer ${JSON.stringify(name)}.`);
    const isParcels = options.purpose !== 'layer';
    const others = count.lines + count.points;
    const words = otherWords(count);
    if (isParcels && count.areas === 0) {
      throw new EngineError('import_refused', `${place}: expected closed lines in the layer ${name}, found ${words}.`);
    }
    const layer = open(options);
    return {
      ...layer,
      name,
      rowCount: isParcels ? count.areas : count.areas + others,
      bounds: null,
      leftOut: others === 0 ? null : { count: others, words },
      *features() {
        let row = 0;
        for (const feature of layer.features()) {
          const isArea = kinds[row++] === 'areas';
          if (nameOf(feature) === name && (isArea || !isParcels)) yield isArea ? asArea(feature) : feature;
        }
      },
    };
  };
  return { layerNames: [...counts.keys()], openLayer };
}

/** A closed line is an area as well. */
function asArea(feature: ParcelFeature): ParcelFeature {
  const { geometry } = feature;
  if (!(geometry instanceof FlatGeometry) || geometry.lines === null) return feature;
  return { ...feature, geometry: FlatGeometry.ofClosedLines(geometry.lines) };
}

interface Counted {
  readonly counts: ReadonlyMap<string, Count>;
  /** Row for row. */
  readonly kinds: readonly (keyof Count)[];
}

function countLayers(layer: ParcelLayer, nameOf: (feature: ParcelFeature) => string): Counted {
  const counts = new Map<string, Count>();
  const kinds: (keyof Count)[] = [];
  for (const feature of layer.features()) {
    const name = nameOf(feature);
    const count = counts.get(name) ?? { areas: 0, lines: 0, points: 0 };
    const kind = kindOf(feature);
    count[kind]++;
    kinds.push(kind);
    counts.set(name, count);
  }
  return { counts, kinds };
}

/** A shape that cannot be read counts as an area: it is refused with its reason, and not left out. */
function kindOf({ geometry }: ParcelFeature): keyof Count {
  if (!(geometry instanceof FlatGeometry) || geometry.point !== null) return 'points';
  return geometry.lines === null || geometry.lines.every(isClosed) ? 'areas' : 'lines';
}

function otherWords({ lines, points }: Count): string {
  const counted = (count: number, one: string, more: string) => (count === 1 ? `1 ${one}` : `${count} ${more}`);
  return [
    ...(lines > 0 ? [counted(lines, 'open line', 'open lines')] : []),
    ...(points > 0 ? [counted(points, 'point, text or block', 'points, texts and blocks')] : []),
  ].join(' and ');
}
