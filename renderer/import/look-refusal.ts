/** Why the wizard does not go on from the look, in a sentence; null: it may. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { type ImportState, mainLayer, mainLook } from './import-state.ts';

type Place = ReadOutputOf<'county_place'>;

const takesCounty = ({ what }: ImportState): boolean => what === 'parcels' || what === 'layer';

export function refusalOf(state: ImportState, place: Place | null): string | null {
  if (state.what === 'comps' || state.what === 'contacts') return null;
  const layer = mainLayer(state);
  if (!mainLook(state)) {
    return 'This is a table: it has rows and no shapes. Choose the parcels too, and it is joined to them by the parcel number.';
  }
  if (layer?.problem) return `${layer.problem} Nothing can be imported from it as it is.`;
  return placeRefusal(state, layer?.isProbablySwapped ?? false, place);
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
    const where = place.at ? `It lies in ${place.at.name}, ${place.at.state} ${place.at.fips}` : 'It lies in no county';
    return `${where}, not in ${place.county?.name ?? 'the county'}. Choose that county, or another coordinate system.`;
  }
  return null;
}
