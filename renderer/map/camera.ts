/**
 * Where Explore's map looks. Searches, commands and tools ask here; the map moves once it is there (`useMapRequests`),
 * and follows the selected parcel by itself (`useFollowSelection`).
 */
import type { Geometry } from 'geojson';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { explore } from '../explore/explore-state.ts';
import { askableBody, type FilterBody } from '../explore/filter-body.ts';
import { toast } from '../state/toasts.ts';
import { boxOf } from './geometry-box.ts';
import type { Box, MapSources } from './map-sources.ts';
import { mapPresence, showBounds } from './map-state.ts';

const world: Box = [-180, -90, 180, 90];
const matchesOf = (client: EngineClient, filter: FilterBody, view: Box) =>
  client.read('result_bounds', { filter: askableBody(filter) as LiveFilter, view });

/** Shows it, or says why not. */
async function look(find: Promise<Box | null>, without: string): Promise<void> {
  try {
    const box = await find;
    if (box) showBounds(box);
    else toast(without);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

export const showParcel = (client: EngineClient, id: number): Promise<void> =>
  look(
    client.read('parcel', { id }).then(({ parcel: { shape } }) => (shape ? boxOf(shape as Geometry) : null)),
    'This parcel has no shape to show on the map.',
  );

export const showSelected = (client: EngineClient): void => {
  const { selected } = explore.get();
  if (selected === null) toast('Choose a parcel first, then the map can show it.');
  else void showParcel(client, selected);
};

/** The matches of the current filter. */
export const showResults = (client: EngineClient): Promise<void> =>
  look(
    matchesOf(client, explore.get().filter, world).then(({ bounds }) => bounds),
    'No parcel that matches has a place on the map.',
  );

/** The county of the filter; all counties if it names several or none. */
export const showCounty = (client: EngineClient): Promise<void> =>
  look(
    client.read('map_sources', {}).then((sources) => countyBox(sources, explore.get().filter)),
    'No county is loaded.',
  );

/** After a search: moves the map unless it shows more than half of what was found, large enough to be seen. */
export async function followResults(client: EngineClient, filter: FilterBody): Promise<void> {
  const { view } = mapPresence.get();
  const { bounds, share } = await matchesOf(client, filter, view ?? world);
  if (bounds && (view === null || share <= 0.5 || isSpeck(bounds, view))) showBounds(bounds);
}

/** Less than a quarter of the view in both directions. */
const isSpeck = ([west, south, east, north]: Box, view: Box): boolean =>
  east - west < (view[2] - view[0]) / 4 && north - south < (view[3] - view[1]) / 4;

export function countyBox({ counties }: MapSources, { county }: FilterBody): Box | null {
  const boxes = counties
    .filter(({ fips }) => county === undefined || fips === String(county))
    .map(({ bounds }) => bounds);
  const [first] = boxes;
  if (!first) return null;
  const side = (i: 0 | 1 | 2 | 3, pick: (...values: number[]) => number) => pick(...boxes.map((box) => box[i]));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}
