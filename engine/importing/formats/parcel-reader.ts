/** Every feature of a parcel file or of a layer, in any format. */
import { EngineError } from '../../spec/errors.ts';
import { openParcels } from './open-parcels.ts';
import type { ParcelFeature } from './parcel-feature.ts';
import type { ParcelLayer, ParcelSource, ReadOptions } from './parcel-source.ts';

export type { ParcelFormat, ReadOptions } from './parcel-source.ts';

/**
 * Coordinates are in WGS84. Temporary files are removed when reading ends, however it ends.
 * @param onLayer called with the layer before its first feature
 * @param usual which of several layers to take if none is named; null: one must be named
 * @throws EngineError import_refused, file_missing, file_damaged, with the file, the place and the remedy
 */
export function* readParcelFile(
  filePath: string,
  options: ReadOptions = {},
  onLayer: (layer: ParcelLayer) => void = () => {},
  usual: ChooseUsual = () => null,
): Generator<ParcelFeature> {
  const source = openParcels(filePath, options);
  try {
    const layer = source.openLayer(chooseLayer(filePath, source, options, usual));
    onLayer(layer);
    yield* layer.features();
  } finally {
    source.close();
  }
}

/** @throws EngineError import_refused if every file says that more of its layer follows */
export function expectWhole(files: readonly string[], layers: readonly ParcelLayer[]): void {
  if (layers.length === 0 || !layers.every((layer) => layer.isPart?.())) return;
  throw new EngineError(
    'import_refused',
    `${files.join(', ')}: expected all features of the layer, found a part of them: the server left out the rest (exceededTransferLimit). Ask it for the next pages (resultOffset=…) until one does not say so. Parcels are imported from all pages together, ogr2ogr joins those of a layer into one file.`,
  );
}

type ChooseUsual = (layerNames: readonly string[]) => string | null;

const maxListed = 30;

/** The named layer, in any case, else the only or usual one. */
function chooseLayer(
  filePath: string,
  { layerNames }: ParcelSource,
  { layer, purpose }: ReadOptions,
  usual: ChooseUsual = () => null,
): string {
  const listed = layerNames.slice(0, maxListed).map((name) => JSON.stringify(name));
  const list = layerNames.length > maxListed ? `${listed.join(', ')}, …` : listed.join(', ');
  const [only] = layerNames;
  if (only === undefined) {
    throw new EngineError('import_refused', `${filePath}: expected a layer with shapes, found none.`);
  }
  if (layer === undefined) {
    const chosen = layerNames.length === 1 ? only : usual(layerNames);
    if (chosen !== null) return chosen;
    throw new EngineError(
      'import_refused',
      `${filePath}: expected one layer, found ${layerNames.length}: ${list}. Name the one that ${purpose === 'layer' ? 'is meant' : 'holds parcels'} (--layer).${purpose === 'layer' ? '' : ' Files that hold parts of one layer are named one after the other.'}`,
    );
  }
  const folded = layer.toLowerCase();
  const chosen = layerNames.find((name) => name === layer) ?? layerNames.find((name) => name.toLowerCase() === folded);
  if (chosen !== undefined) return chosen;
  throw new EngineError('import_refused', `${filePath}: it has no layer ${JSON.stringify(layer)}; it has ${list}.`);
}
