/** Every parcel's record: the published columns of the dictionary, with the gaps that real counties have. */
import { parcelColumns } from '../../engine/spec/parcel-columns.ts';
import { recordDeeds, recordMortgage } from './deeds.ts';
import { geometryOf, isMainRoad, type Land, type Shape } from './land.ts';
import type { Network } from './network.ts';
import { type Numbered, numberLots } from './numbering.ts';
import { localMailing, type Mailing, type Owner, OwnerBook, writeStreet } from './owners.ts';
import { at, locateOnLine } from './plane.ts';
import { landPrice } from './prices.ts';
import type { Random } from './random.ts';
import { gap, round, type Values } from './record-parts.ts';
import { surveyTerrain, type Terrain } from './terrain.ts';
import type { SampleParcel } from './types.ts';
import { chooseUse, type LandUse, uses, zoningOf } from './uses.ts';
import { buildingColumns, buildOn, valueColumns } from './values.ts';

export interface ParcelRecord extends SampleParcel {
  readonly shape: Shape;
  readonly use: LandUse;
  readonly owner: Owner | null;
  /** Buildings that stand on it, whether or not the county counted them. */
  readonly structures: number;
  /** Dollars for the bare land in 2026. */
  readonly landPrice: number;
}

export function buildParcels(land: Land, random: Random): ParcelRecord[] {
  const lots = land.shapes.filter((shape) => shape.kind === 'lot');
  const tabled = [...lots, ...undrawn(lots, random.fork('undrawn'))];
  const numbers = numberLots(tabled, random.fork('numbers'));
  const owners = new OwnerBook(lots.length, random.fork('owners'));
  const records = tabled.map((shape, i) => {
    const own = random.fork(i);
    const use = chooseUse(shape, own);
    const owner = owners.ownerOf(shape, use, at(numbers, i).subdivision);
    return lotRecord(land.network, shape, at(numbers, i), use, owner, own);
  });
  const blank = random.fork('blank');
  const others = land.shapes
    .filter((shape) => shape.kind !== 'lot')
    .map((shape) => blankRecord(land.network, shape, blank));
  const all = [...records, ...others];
  all.forEach((record, i) => {
    record.properties.external_id = blank.chance(0.05) ? null : `ALD-${String(i + 1).padStart(6, '0')}`;
  });
  return all;
}

/** Lots in the assessor's table without a shape. */
function undrawn(lots: readonly Shape[], random: Random): Shape[] {
  const nowhere = { feet: { major_highway: 0, normal_road: 0, local_road: 0 }, road: null, spot: { x: 0, y: 0 } };
  return Array.from({ length: 12 }, () => {
    const like = random.pick(lots);
    return {
      ...like,
      parts: [],
      block: -1,
      inholding: false,
      frontage: { ...nowhere, road: like.frontage.road, spot: like.frontage.spot },
    };
  });
}

function lotRecord(
  network: Network,
  shape: Shape,
  number: Numbered,
  use: LandUse,
  owner: Owner,
  random: Random,
): ParcelRecord {
  const terrain = surveyTerrain(shape, random);
  const price = landPrice(shape, terrain, use);
  const building = buildOn(use, shape.inGrid, random);
  const deeds = recordDeeds(owner, price, building, random);
  const situs = situsOf(network, shape, use, random);
  const drawn = shape.parts.length > 0;
  const properties: Values = {
    ...identityColumns(number, use, random),
    acres: recordedAcres(shape, random),
    ...situs.columns,
    subdivision: number.subdivision,
    legal_description: gap(random, 0.12, legalOf(number, shape, random)),
    school_district: gap(random, 0.05, schoolDistrict(shape)),
    land_use_code: gap(random, 0.04, use.code),
    land_use_description: gap(random, 0.05, use.text),
    zoning: zoningOf(shape, use, random),
    ...ownerColumns(owner, use, situs.mailing, random),
    ...valueColumns(price, building, use, shape.acres, random),
    ...deeds.columns,
    ...recordMortgage(owner, use, deeds.last, price + (building?.worth ?? 0), random),
    ...buildingColumns(building, random),
    ...(drawn && !random.chance(0.05) ? terrainColumns(terrain, random) : noTerrain),
    ...frontageColumns(drawn && !random.chance(0.04) ? shape : null),
  };
  const structures = building?.count ?? 0;
  return { geometry: geometryOf(network, shape), properties, shape, use, owner, structures, landPrice: price };
}

function identityColumns(number: Numbered, use: LandUse, random: Random): Values {
  const renumbered = random.chance(0.13);
  return {
    apn: number.apn,
    old_apn: renumbered ? `R${number.sheet}-${random.integer(1, 400)}` : null,
    old_apn_indicator: renumbered ? gap(random, 0.1, 'Y') : null,
    tax_account_number: gap(random, 0.06, `A${String(random.integer(1, 99_999)).padStart(6, '0')}`),
    property_class_id: gap(random, 0.05, use.class),
  };
}

/** Deeds and the map agree within about a percent; for one lot in twenty they do not. */
function recordedAcres(shape: Shape, random: Random): number | null {
  if (random.chance(0.06)) return null;
  const off = random.chance(0.05)
    ? random.between(0.06, 0.25) * (random.chance(0.5) ? 1 : -1)
    : 0.006 * random.normal();
  const acres = shape.acres * (1 + off);
  const called = acres > 30 && random.chance(0.12) ? Math.round(acres) : round(acres, acres < 5 ? 3 : 2);
  return Math.max(0.01, called);
}

function situsOf(
  network: Network,
  shape: Shape,
  use: LandUse,
  random: Random,
): { columns: Values; mailing: Mailing | null } {
  const { frontage, settlement } = shape;
  const road = frontage.road === null ? null : at(network.roads, frontage.road);
  const place = { situs_city: gap(random, 0.06, settlement.name), situs_zip: gap(random, 0.07, settlement.zip) };
  if (!road)
    return {
      columns: { situs_address: random.chance(0.3) ? 'Rear land' : null, ...place },
      mailing: null,
    };
  const { along, offset } = locateOnLine(road.center, frontage.spot);
  const address = `${2 * Math.floor(along / 14) + (offset > 0 ? 1 : 2)} ${road.name}`;
  if (use.improved) {
    return {
      columns: { situs_address: gap(random, 0.03, address), ...place },
      mailing: localMailing(address, settlement),
    };
  }
  const written = random.weighted([
    [road.name, 55],
    [address, 22],
    [null, 23],
  ]);
  return { columns: { situs_address: written, ...place }, mailing: null };
}

function legalOf(number: Numbered, shape: Shape, random: Random): string {
  if (number.plan) return `Lot ${number.sub ?? (number.lot % 60 || 60)}, Plan ${number.plan}`;
  if (shape.acres < 5) return `Map ${number.sheet} Lot ${number.lot}`;
  return `${round(shape.acres, 0)} ac m/l, Bk ${random.integer(112, 3960)} Pg ${random.integer(1, 999)}`;
}

function schoolDistrict(shape: Shape): string {
  if (shape.middle.y > 3900) return 'Harrow Union';
  return shape.middle.x > 5600 ? 'Sorrel Valley Regional' : 'Wrenfield Unified';
}

function ownerColumns(owner: Owner, use: LandUse, home: Mailing | null, random: Random): Values {
  const lived = use.class === 'R' || use === uses.farm;
  const occupied = lived && home !== null && owner.kind !== 'company' && random.chance(use === uses.camp ? 0.1 : 0.74);
  const mailing = occupied && random.chance(0.93) ? home : owner.mailing;
  const unnamed = random.chance(0.008);
  const zip = mailing && random.chance(0.1) ? `${mailing.zip}-${random.integer(1000, 9899)}` : (mailing?.zip ?? null);
  return {
    owner_name: unnamed ? null : owner.name,
    owner_name_2: unnamed ? null : owner.name2,
    owner_occupied: gap(random, 0.1, occupied),
    mailing_address: mailing ? writeStreet(mailing, random) : null,
    mailing_city: mailing?.city ?? null,
    mailing_state: mailing?.state ?? null,
    mailing_zip: gap(random, 0.015, zip),
  };
}

const noTerrain: Values = {
  elevation_min_ft: null,
  elevation_mean_ft: null,
  elevation_max_ft: null,
  slope_mean_percent: null,
  slope_area_percent: null,
  wetlands_percent: null,
  flood_zone_percent: null,
  flood_zone_type: null,
};

function terrainColumns(terrain: Terrain, random: Random): Values {
  const flood = !random.chance(0.06);
  return {
    elevation_min_ft: terrain.elevation.min,
    elevation_mean_ft: terrain.elevation.mean,
    elevation_max_ft: terrain.elevation.max,
    slope_mean_percent: terrain.slopeMean,
    slope_area_percent: [...terrain.steeper],
    wetlands_percent: gap(random, 0.08, terrain.wetlands),
    flood_zone_percent: flood ? terrain.flood : null,
    flood_zone_type: flood ? terrain.zone : null,
  };
}

function frontageColumns(shape: Shape | null): Values {
  const feet = shape?.frontage.feet;
  const [major, normal, local] = feet
    ? [round(feet.major_highway, 1), round(feet.normal_road, 1), round(feet.local_road, 1)]
    : [null, null, null];
  const total = feet ? round((major ?? 0) + (normal ?? 0) + (local ?? 0), 1) : null;
  return {
    road_frontage_ft: total,
    road_frontage_major_highway_ft: major,
    road_frontage_normal_road_ft: normal,
    road_frontage_local_road_ft: local,
    landlocked: total === null ? null : total === 0,
  };
}

/** Rights of way and water: the county draws them, but gives them no number and few attributes. */
function blankRecord(network: Network, shape: Shape, random: Random): ParcelRecord {
  const use = shape.kind === 'road' ? uses.rightOfWay : uses.water;
  const road = shape.kind === 'road' ? at(network.roads, shape.road) : null;
  const placeName = road ? (isMainRoad(road.name) ? road.name : null) : 'Sorrel River';
  const keeper = road?.class === 'major_highway' ? 'STATE OF ZZ' : `TOWN OF ${shape.settlement.name.toUpperCase()}`;
  return {
    geometry: geometryOf(network, shape),
    shape,
    use,
    owner: null,
    structures: 0,
    landPrice: 0,
    properties: {
      ...emptyColumns,
      situs_address: gap(random, 0.2, placeName),
      land_use_code: gap(random, 0.3, use.code),
      land_use_description: gap(random, 0.3, use.text),
      owner_name: road ? gap(random, 0.35, keeper) : null,
    },
  };
}

const emptyColumns: Values = Object.fromEntries(
  parcelColumns.filter((column) => column.origin === 'published').map((column) => [column.name, null]),
);
