/** Parcels that are roads, as a county's use of the land says it. */
import { foldWords } from './text-fold.ts';

/** Words of a land use that mean a road; whole words or phrases. */
export const roadParcelWords: readonly string[] = [
  ...['right of way', 'road right of way', 'rights of way', 'row', 'roadway', 'public road', 'street'],
];

/** Uses that hold such words and are none: fields and buildings in rows. */
export const roadlessWords: readonly string[] = [
  ...['row crop', 'row crops', 'row house', 'row houses', 'row home', 'row homes', 'row dwelling', 'row town'],
];

const [roads, roadless] = [roadParcelWords.map(foldWords), roadlessWords.map(foldWords)];

/** Columns that `isRoadParcel` reads. */
export const roadParcelColumns = ['land_use_description', 'property_class_id'] as const;

export const isRoadParcel = (parcel: Record<(typeof roadParcelColumns)[number], string | null>): boolean =>
  roadParcelColumns.some((name) => {
    const text = parcel[name];
    if (text === null) return false;
    const words = foldWords(text);
    return roads.some((phrase) => words.includes(phrase)) && !roadless.some((phrase) => words.includes(phrase));
  });
