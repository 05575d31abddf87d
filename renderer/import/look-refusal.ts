/** Why the wizard cannot continue from the look, in a sentence; null if it can. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { layerShapes } from '../../engine/spec/layer-files.ts';
import { isLayerKind, isMapOnly, layerTitle } from '../../engine/spec/layer-titles.ts';
import { type ImportState, mainLayer, mainLook } from './import-state.ts';

type Place = ReadOutputOf<'county_place'>;

const takesCounty = ({ what }: ImportState): boolean => what === 'parcels' || what === 'layer';

export function refusalOf(state: ImportState, place: Place | null): string | null {
  if (state.what === 'contacts' && state.chosen.length > 1)
    return `${state.chosen.length} files are chosen, and one list goes in at a time: choose one of them.`;
  if (state.what === 'comps' || state.what === 'contacts') return null;
  const layer = mainLayer(state);
  if (!mainLook(state)) {
    return 'This is a table: it has rows and no shapes. Choose the parcels too, and it is joined to them by the parcel number; or let its rows be parcels without shapes.';
  }
  if (layer?.problem) return `${layer.problem} Nothing can be imported from it as it is.`;
  return (
    (state.what === 'layer' ? shapesRefusal(state) : null) ??
    placeRefusal(state, layer?.isProbablySwapped ?? false, place)
  );
}

const neededWords = { polygons: 'a file of areas', lines: 'a file of lines', raster: 'a GeoTIFF' } as const;
const foundWords = {
  polygons: 'areas',
  lines: 'lines',
  points: 'points',
  raster: 'elevation',
  nothing: 'rows and no shapes',
} as const;

/** A layer may be of any kind until the user chooses one. */
function shapesRefusal(state: ImportState): string | null {
  const { layerKind } = state;
  if (!isLayerKind(layerKind)) return null;
  const [needed, found] = [layerShapes[layerKind], foundShapes(state)];
  if (isMapOnly(layerKind)) return lookRefusal(state);
  if (found === null || found === needed || needed === 'any') return null;
  return `It holds ${foundWords[found]}, and for ${layerTitle(layerKind)} ${neededWords[needed]} is needed. Say what the layer holds, or choose another file.`;
}

/** The look is guessed where the file tells it. */
const lookRefusal = ({ layerTexts }: ImportState): string | null =>
  layerTexts.look ? null : 'Its names and columns do not show how to draw it: choose.';

/** Null if they are unknown. */
function foundShapes(state: ImportState): keyof typeof foundWords | null {
  const layer = mainLayer(state);
  if (mainLook(state)?.kind === 'table') return 'nothing';
  // A GeoTIFF has no layers to look at.
  return layer === null ? 'raster' : layer.shapes;
}

function placeRefusal(state: ImportState, isSwapped: boolean, place: Place | null): string | null {
  if (isSwapped) {
    return 'It lies outside the United States, and inside when longitude and latitude are swapped: the file has them in the wrong order.';
  }
  if (state.fips === null && takesCounty(state) && state.countyColumn === '') {
    return place && place.at === null
      ? 'It lies in no county of the United States. Is the coordinate system right?'
      : 'Which county is it of?';
  }
  if (place?.lies === 'elsewhere' && state.countyColumn === '') {
    if (place.at && place.at.fips === place.county?.fips) {
      return `Fewer than half of its first parcels lie in ${place.county.name}, and no more in any other county. Choose the column that names the county of each, or one county.`;
    }
    const where = place.at ? `It lies in ${place.at.name}, ${place.at.state} ${place.at.fips}` : 'It lies in no county';
    return `${where}, not in ${place.county?.name ?? 'the county'}. Choose that county, or another coordinate system.`;
  }
  return null;
}
