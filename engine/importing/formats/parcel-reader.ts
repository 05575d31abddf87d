/** Every feature of a file of parcels or of a layer, whatever its format. */
import { EngineError } from '../../spec/errors.ts';
import { openParcels } from './open-parcels.ts';
import type { ParcelFeature } from './parcel-feature.ts';
import type { ParcelLayer, ParcelSource, ReadOptions } from './parcel-source.ts';

export type { ParcelFormat, ReadOptions } from './parcel-source.ts';

/**
 * In WGS84. Temporary files go when the reading ends, however it ends.
 * @param onLayer told the layer before its first feature
 * @param usual which of several is meant where none is named; null: it has to be named
 * @throws EngineError import_refused, file_missing, file_damaged, with the file, the place and what to do
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

/** Gives `work` the layer; its files are there until it returns. @throws EngineError as `readParcelFile` does */
export function withParcelLayer<Result>(
  filePath: string,
  options: ReadOptions = {},
  work: (layer: ParcelLayer) => Result,
): Result {
  const source = openParcels(filePath, options);
  try {
    return work(source.openLayer(chooseLayer(filePath, source, options)));
  } finally {
    source.close();
  }
}

/** @throws EngineError import_refused for files each of which says that more of its layer follows */
export function expectWhole(files: readonly string[], layers: readonly ParcelLayer[]): void {
  if (layers.length === 0 || !layers.every((layer) => layer.isPart?.())) return;
  throw new EngineError(
    'import_refused',
    `${files.join(', ')}: expected all features of the layer, found a part of them: the server left out the rest (exceededTransferLimit). Ask it for the next pages (resultOffset=…) until one does not say so. Parcels are imported from all pages together, ogr2ogr joins those of a layer into one file.`,
  );
}

export type ChooseUsual = (layerNames: readonly string[]) => string | null;

const maxListed = 30;

/** The layer that is named, in any case, else the only or usual one. */
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
