/** What a parcel is used for, and the county's codes for it. */
import type { Shape } from './land.ts';
import { distance, type Point } from './plane.ts';
import type { Random } from './random.ts';

export interface LandUse {
  readonly code: string;
  readonly text: string;
  readonly class: 'R' | 'V' | 'C' | 'I' | 'E' | 'F' | 'A';
  readonly improved: boolean;
}

const use = (code: string, text: string, propertyClass: LandUse['class'], improved: boolean): LandUse => ({
  code,
  text,
  class: propertyClass,
  improved,
});

export const uses = {
  single: use('1010', 'Single family', 'R', true),
  mobile: use('1030', 'Manufactured home', 'R', true),
  twoFamily: use('1040', 'Two family', 'R', true),
  apartments: use('1110', 'Apartments, 4 to 8 units', 'R', true),
  camp: use('1060', 'Seasonal camp', 'R', true),
  vacantLot: use('1300', 'Vacant residential', 'V', false),
  vacantBack: use('1320', 'Vacant, no access', 'V', false),
  store: use('3220', 'Store or shop', 'C', true),
  office: use('3400', 'Office', 'C', true),
  vacantCommercial: use('3900', 'Vacant commercial', 'C', false),
  works: use('4000', 'Light industrial', 'I', true),
  gravel: use('4100', 'Gravel pit', 'I', false),
  farm: use('5010', 'Farm with dwelling', 'A', true),
  cropland: use('5100', 'Cropland', 'A', false),
  pasture: use('5200', 'Pasture', 'A', false),
  woodland: use('6100', 'Woodland', 'F', false),
  timber: use('6200', 'Managed timber', 'F', false),
  municipal: use('9030', 'Municipal', 'E', true),
  school: use('9200', 'School', 'E', true),
  church: use('9060', 'House of worship', 'E', true),
  cemetery: use('9070', 'Cemetery', 'E', false),
  forest: use('9010', 'Public forest', 'E', false),
  rightOfWay: use('9950', 'Road right of way', 'E', false),
  water: use('9960', 'Water', 'E', false),
} as const satisfies Record<string, LandUse>;

/** Sites of works and shops near the crossing; elsewhere along the highways. */
const nearCenter = (shape: Shape): number => distance(shape.middle, shape.settlement.center as Point);

export function chooseUse(shape: Shape, random: Random): LandUse {
  if (shape.inholding)
    return random.weighted([
      [uses.cemetery, 3],
      [uses.camp, 2],
      [uses.vacantBack, 2],
    ]);
  if (shape.acres < 0.06) return uses.vacantLot;
  if (shape.inGrid) return shape.acres > 1.4 ? bigTownUse(random) : townUse(shape, random);
  if (shape.frontage.road === null) return backUse(shape, random);
  return shape.acres < 6 ? roadsideUse(shape, random) : countryUse(shape, random);
}

const bigTownUse = (random: Random): LandUse =>
  random.weighted([
    [uses.municipal, 3],
    [uses.school, 3],
    [uses.works, 3],
    [uses.store, 3],
    [uses.vacantCommercial, 2],
    [uses.apartments, 2],
    [uses.vacantLot, 4],
  ]);

function townUse(shape: Shape, random: Random): LandUse {
  const main = shape.frontage.feet.major_highway > 0;
  const central = nearCenter(shape) < shape.settlement.blockWidth * 1.2;
  if ((main && random.chance(0.55)) || (central && random.chance(0.3))) {
    return random.weighted([
      [uses.store, 6],
      [uses.office, 4],
      [uses.vacantCommercial, 3],
      [uses.apartments, 2],
    ]);
  }
  return random.weighted([
    [uses.single, 66],
    [uses.twoFamily, 8],
    [uses.mobile, 2],
    [uses.apartments, 2],
    [uses.church, 0.6],
    [uses.municipal, 0.6],
    [uses.vacantLot, 21],
  ]);
}

function backUse(shape: Shape, random: Random): LandUse {
  if (shape.acres < 3) return uses.vacantBack;
  return random.weighted([
    [uses.woodland, 8],
    [uses.vacantBack, 3],
    [uses.timber, shape.acres > 60 ? 4 : 0],
    [uses.camp, 0.6],
  ]);
}

function roadsideUse(shape: Shape, random: Random): LandUse {
  const highway = shape.frontage.feet.major_highway > 0;
  return random.weighted([
    [uses.single, 52],
    [uses.mobile, 8],
    [uses.camp, 4],
    [uses.store, highway ? 7 : 0.4],
    [uses.works, highway ? 3 : 0.2],
    [uses.vacantCommercial, highway ? 4 : 0],
    [uses.church, 0.4],
    [uses.cemetery, 0.5],
    [uses.vacantLot, 34],
  ]);
}

function countryUse(shape: Shape, random: Random): LandUse {
  const large = Math.min(1, shape.acres / 120);
  return random.weighted([
    [uses.single, 26 * (1 - large) + 3],
    [uses.farm, 7],
    [uses.camp, 4 * (1 - large)],
    [uses.woodland, 26 + 10 * large],
    [uses.timber, 22 * large],
    [uses.cropland, 8],
    [uses.pasture, 9],
    [uses.gravel, 0.6],
    [uses.vacantLot, 18 * (1 - large)],
    [uses.forest, shape.acres > 180 ? 9 : 0.3],
  ]);
}

export function zoningOf(shape: Shape, landUse: LandUse, random: Random): string | null {
  if (shape.kind !== 'lot' || random.chance(0.07)) return null;
  if (landUse.class === 'C') return 'C-1';
  if (landUse.class === 'I') return 'I-1';
  if (shape.inGrid || shape.acres < 0.8) return 'R-1';
  if (landUse === uses.timber || landUse === uses.forest) return 'FR';
  if (landUse.class === 'A') return random.chance(0.7) ? 'AG' : 'RA-5';
  return shape.acres > 90 && random.chance(0.5) ? 'FR' : 'RA-5';
}
