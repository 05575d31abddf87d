import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parcelColumns } from '../../engine/spec/parcel-columns.ts';
import { buildSampleCounty, type SampleCounty, type SampleParcel, type SampleRing, sampleCounty } from './index.ts';

const county = buildSampleCounty();
const small = buildSampleCounty({ seed: 5, parcels: 900 });

const polygonsOf = ({ geometry }: SampleParcel): SampleRing[][] => {
  if (!geometry) return [];
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
};

const ringsOf = (parcel: SampleParcel): SampleRing[] => polygonsOf(parcel).flat();

/** Shoelace about a corner near by, so that no digits are lost to the size of the longitudes. */
function signedArea(ring: SampleRing): number {
  let twice = 0;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = [ring[i], ring[i + 1]];
    twice += (x1 + 71.8) * (y2 - 44.1) - (x2 + 71.8) * (y1 - 44.1);
  }
  return twice / 2;
}

const segmentsOf = (ring: SampleRing): [string, string][] =>
  ring.slice(1).map((point, i) => [String(ring[i]), String(point)]);

function insideRing(ring: SampleRing, [x, y]: [number, number]): boolean {
  let inside = false;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = [ring[i], ring[i + 1]];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}

const insideParcel = (parcel: SampleParcel, point: [number, number]): boolean =>
  polygonsOf(parcel).some(([outer = [], ...holes]) => {
    return insideRing(outer, point) && !holes.some((hole) => insideRing(hole, point));
  });

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

const values = (name: string): unknown[] => county.parcels.map((parcel) => parcel.properties[name]);
const texts = (name: string): string[] => values(name).filter((value) => typeof value === 'string');
const numbers = (name: string): number[] => values(name).filter((value) => typeof value === 'number');

/** How often each directed edge occurs over all parcels, holes included. */
function directedEdges(sample: SampleCounty): Map<string, number> {
  const edges = new Map<string, number>();
  for (const ring of sample.parcels.flatMap(ringsOf)) {
    for (const [from, to] of segmentsOf(ring)) edges.set(`${from} ${to}`, (edges.get(`${from} ${to}`) ?? 0) + 1);
  }
  return edges;
}

function segmentsMeet([a, b]: SampleRing, [c, d]: SampleRing): boolean {
  if (!a || !b || !c || !d) return false;
  const apart = [0, 1].some((k) => {
    const [p = 0, q = 0, r = 0, s = 0] = [a[k], b[k], c[k], d[k]];
    return Math.max(p, q) < Math.min(r, s) || Math.max(r, s) < Math.min(p, q);
  });
  if (apart) return false;
  const side = (p: [number, number], q: [number, number], r: [number, number]): number =>
    Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  return side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0;
}

/** Whether edges that are not neighbours in the ring touch. */
function crossesItself(ring: SampleRing): boolean {
  const edges = ring.slice(1).map((point, i): SampleRing => [ring[i] ?? point, point]);
  return edges.some((edge, i) =>
    edges.some((other, k) => k > i + 1 && !(i === 0 && k === edges.length - 1) && segmentsMeet(edge, other)),
  );
}

describe.each([
  ['the usual county', county],
  ['a small county of another seed', small],
])('the fabric of %s', (_, sample) => {
  const outlineEdges = new Set(segmentsOf(sample.outline).map(([from, to]) => `${from} ${to}`));

  it('covers the outline: the areas of the parcels add up to its area', () => {
    const area = signedArea(sample.outline);
    const sum = sample.parcels.flatMap(ringsOf).reduce((total, ring) => total + signedArea(ring), 0);
    expect(Math.abs(sum - area) / area).toBeLessThan(1e-9);
  });

  it('shares every inner edge between exactly two parcels, one on each side', () => {
    const edges = directedEdges(sample);
    const wrong = [...edges].filter(([edge, count]) => {
      const [from, to] = edge.split(' ');
      return count !== 1 || edges.has(`${to} ${from}`) === outlineEdges.has(edge);
    });
    expect(wrong).toEqual([]);
  });

  it('reaches the outline everywhere and nowhere beyond it', () => {
    const edges = directedEdges(sample);
    expect([...outlineEdges].filter((edge) => !edges.has(edge))).toEqual([]);
    const corners = new Set(sample.outline.map(String));
    const outside = sample.parcels
      .flatMap(ringsOf)
      .flat()
      .filter((point) => !corners.has(String(point)) && !insideRing(sample.outline, point));
    expect(outside).toEqual([]);
  });

  it('has simple rings, outer ones counter-clockwise and holes clockwise', () => {
    const polygons = sample.parcels.flatMap(polygonsOf);
    expect(polygons.filter(([outer = []]) => signedArea(outer) <= 0)).toEqual([]);
    expect(polygons.flatMap(([, ...holes]) => holes).filter((hole) => signedArea(hole) >= 0)).toEqual([]);
    expect(polygons.flat().filter(crossesItself)).toEqual([]);
  });

  it('keeps the parts of a multipolygon from sharing an edge', () => {
    const touching = sample.parcels.filter((parcel) => {
      const edges = new Set(
        ringsOf(parcel).flatMap((ring) => segmentsOf(ring).map((edge) => edge.toSorted().join(' '))),
      );
      return edges.size !== ringsOf(parcel).reduce((sum, ring) => sum + ring.length - 1, 0);
    });
    expect(touching).toEqual([]);
  });
});

describe('the sample as a whole', () => {
  // The whole county is made twice in sample-files.test.ts.
  it('is the same for the same seed and another for another', () => {
    expect(hash(buildSampleCounty({ seed: 5, parcels: 900 }))).toBe(hash(small));
    expect(hash(buildSampleCounty({ seed: 6, parcels: 900 }))).not.toBe(hash(small));
  });

  it('says that it is synthetic', () => {
    expect(sampleCounty.source).toMatch(/synthetic/i);
    expect(sampleCounty.state).toBe('ZZ');
    expect(county.comps.every((comp) => comp.source.includes('synthetic'))).toBe(true);
    expect(county.comps.every((comp) => comp.url === '' || comp.url.startsWith('https://listings.invalid/'))).toBe(
      true,
    );
    expect(
      county.comps.flatMap((comp) => comp.photos).every((url) => url.startsWith('https://listings.invalid/')),
    ).toBe(true);
  });

  it('holds about as many lots as asked for', () => {
    const lots = county.parcels.filter((parcel) => parcel.properties.apn !== null);
    expect(lots.length).toBeGreaterThan(5850);
    expect(lots.length).toBeLessThan(6150);
    expect(small.parcels.filter((parcel) => parcel.properties.apn !== null).length).toBeGreaterThan(800);
  });
});

describe('the records', () => {
  /** The sample's townships come from a layer: columns of its file that are empty or absent. */
  const ofSurvey = ['township', 'range', 'section', 'principal_meridian'];
  const isOfFile = (name: string): boolean => !ofSurvey.includes(name);
  const published = parcelColumns
    .filter(({ origin }) => origin === 'published')
    .map(({ name }) => name)
    .filter(isOfFile);

  it('carry exactly the published columns, each filled in some rows and null in some', () => {
    for (const { properties } of county.parcels)
      expect(Object.keys(properties).filter(isOfFile).toSorted()).toEqual(published.toSorted());
    expect(ofSurvey.flatMap(values).filter((value) => value != null)).toEqual([]);
    for (const name of published) {
      const filled = values(name).filter((value) => value !== null).length;
      expect(filled, `${name} is filled`).toBeGreaterThan(100);
      expect(filled, `${name} is null somewhere`).toBeLessThan(county.parcels.length);
    }
  });

  it('have values of their column’s type', () => {
    const fits: Record<string, (value: unknown) => boolean> = {
      integer: Number.isInteger,
      money: Number.isInteger,
      number: Number.isFinite,
      percent: (value) => typeof value === 'number' && value >= 0 && value <= 100,
      text: (value) => typeof value === 'string' && value.trim() === value && value !== '',
      date: (value) => typeof value === 'string' && new Date(value).toISOString().startsWith(value),
      boolean: (value) => typeof value === 'boolean',
      percents: (value) => Array.isArray(value) && value.length === 11,
    };
    for (const { name, type } of parcelColumns) {
      if (!published.includes(name)) continue;
      const wrong = values(name).filter((value) => value !== null && !fits[type]?.(value));
      expect(wrong, name).toEqual([]);
    }
  });

  it('have a share steeper than each edge that never rises with the edge', () => {
    for (const value of values('slope_area_percent')) {
      if (Array.isArray(value)) expect(value).toEqual(value.toSorted((a, b) => b - a));
    }
  });

  it('have ZIPs that begin with 0014, zeros kept', () => {
    expect(new Set(texts('situs_zip').map((zip) => zip.slice(0, 4)))).toEqual(new Set(['0014']));
    expect(new Set(texts('situs_zip')).size).toBe(6);
    expect(new Set(county.comps.map((comp) => comp.zip.slice(0, 4)))).toEqual(new Set(['0014']));
    const local = county.parcels.filter((parcel) => parcel.properties.mailing_state === 'ZZ');
    expect(local.every(({ properties: { mailing_zip: zip } }) => zip === null || String(zip).startsWith('0014'))).toBe(
      true,
    );
  });

  it('have the APNs that trip software up', () => {
    const apns = texts('apn');
    for (const apn of ['12-201', '12-2-01', '3-12', '10-11']) expect(apns, apn).toContain(apn);
    expect(apns.every((apn) => /^\d+-\d+(-\d+)?$/.test(apn))).toBe(true);
    const doubles = [...Map.groupBy(apns, (apn) => apn)].filter(([, rows]) => rows.length > 1);
    expect(doubles.map(([, rows]) => rows.length)).toEqual(new Array(10).fill(2));
  });

  it('leave the APN of roads and water blank', () => {
    const blank = county.parcels.filter((parcel) => parcel.properties.apn === null);
    expect(blank.length).toBeGreaterThan(24);
    expect(blank.length).toBeLessThan(100);
    expect(blank.every((parcel) => parcel.geometry !== null)).toBe(true);
  });

  it('have a dozen rows without a shape, lots in two parts and lots with a hole', () => {
    expect(county.parcels.filter((parcel) => parcel.geometry === null)).toHaveLength(12);
    const lots = county.parcels.filter((parcel) => parcel.properties.apn !== null);
    expect(lots.filter((parcel) => polygonsOf(parcel).length === 2).length).toBeGreaterThan(10);
    expect(lots.filter((parcel) => polygonsOf(parcel).some((rings) => rings.length > 1)).length).toBeGreaterThan(4);
  });

  it('have frontage on roads of each class, and none where landlocked', () => {
    for (const name of ['major_highway', 'normal_road', 'local_road']) {
      const feet = numbers(`road_frontage_${name}_ft`);
      expect(feet.filter((value) => value > 0).length, name).toBeGreaterThan(100);
      expect(feet.every((value) => value >= 0)).toBe(true);
    }
    const landlocked = county.parcels.filter((parcel) => parcel.properties.landlocked === true);
    expect(landlocked.length).toBeGreaterThan(50);
    expect(landlocked.every((parcel) => parcel.properties.road_frontage_ft === 0)).toBe(true);
  });

  it('have improvements only where something is built', () => {
    const bare = county.parcels.filter((parcel) => parcel.properties.assessed_improvement_value === 0);
    expect(bare.length).toBeGreaterThan(1500);
    expect(bare.every(({ properties }) => properties.year_built === null && properties.building_sqft === null)).toBe(
      true,
    );
    expect(bare.every(({ properties }) => (properties.structure_count ?? 0) === 0)).toBe(true);
  });

  it('add up: land and improvements make the total, and the county assesses below the market', () => {
    for (const { properties: p } of county.parcels) {
      if (typeof p.assessed_total_value !== 'number') continue;
      expect(p.assessed_total_value).toBe(Number(p.assessed_land_value) + Number(p.assessed_improvement_value));
      if (typeof p.market_total_value === 'number')
        expect(p.assessed_total_value).toBeLessThanOrEqual(p.market_total_value);
    }
  });

  it('name every kind of owner', () => {
    const owners = texts('owner_name');
    for (const kind of [
      / (LLC|INC|LP|CORP)$/,
      /TRUST/,
      /^TOWN OF /,
      /HOMEOWNERS ASSOCIATION INC$/,
      /ESTATE OF/,
      / & /,
      /Ñ/,
      /O'/,
    ]) {
      expect(owners.filter((name) => kind.test(name)).length, String(kind)).toBeGreaterThan(2);
    }
  });
});

describe('comps', () => {
  it('come as sold, pending and active, each with what its status asks for', () => {
    const count = (status: string): number => county.comps.filter((comp) => comp.status === status).length;
    expect(count('SOLD')).toBeGreaterThan(450);
    expect(count('PENDING')).toBeGreaterThan(40);
    expect(count('ACTIVE')).toBeGreaterThan(300);
    expect(county.comps.every((comp) => (comp.status === 'SOLD') === (comp.sold_date !== null))).toBe(true);
    const sold = county.comps.flatMap((comp) => comp.sold_date ?? []).toSorted();
    expect(sold.at(0)?.slice(0, 4)).toBe('2021');
    expect((sold.at(-1) ?? '') <= sampleCounty.date).toBe(true);
    expect(new Set(county.comps.map((comp) => comp.source_id)).size).toBe(county.comps.length);
  });

  it('lie inside a vacant parcel, the one they name', () => {
    const byApn = Map.groupBy(county.parcels, (parcel) => parcel.properties.apn);
    const named = county.comps.filter((comp) => comp.apn !== '');
    expect(named.length).toBeLessThan(county.comps.length);
    const astray = named.filter((comp) => {
      const parcels = byApn.get(comp.apn) ?? [];
      return !parcels.some((parcel) => insideParcel(parcel, [comp.longitude, comp.latitude]));
    });
    expect(astray).toEqual([]);
  });

  it('have prices that fall per acre as lots grow, with a few sizes unknown', () => {
    const perAcre = (low: number, high: number): number => {
      const rows = county.comps.flatMap(({ lot_size: acres, price }) =>
        acres && acres > low && acres < high ? price / acres : [],
      );
      return rows.toSorted((a, b) => a - b).at(rows.length >> 1) ?? 0;
    };
    expect(perAcre(0, 1)).toBeGreaterThan(2 * perAcre(1, 10));
    expect(perAcre(1, 10)).toBeGreaterThan(1.5 * perAcre(30, 300));
    expect(county.comps.some((comp) => comp.lot_size === null)).toBe(true);
  });
});

describe('contacts', () => {
  it('have only numbers that nobody can have', () => {
    const phones = county.contacts.flatMap((contact) => contact.phones);
    expect(phones.every((phone) => /^[2-9]\d\d55501\d\d$/.test(phone.number))).toBe(true);
    expect(new Set(phones.map((phone) => phone.line_type))).toEqual(new Set(['Mobile', 'Landline', null]));
    expect(new Set(phones.map((phone) => phone.dnc))).toEqual(new Set([true, false, null]));
    expect(county.contacts.every(({ phones: { length } }) => length >= 1 && length <= 6)).toBe(true);
  });

  it('are of owners, and some of strangers with an owner’s last name', () => {
    expect(county.contacts.length).toBeGreaterThan(2300);
    const names = new Set(texts('owner_name').flatMap((name) => name.split(/ & | /)));
    const known = county.contacts.filter((contact) => names.has(contact.first_name.toUpperCase()));
    expect(known.length).toBeGreaterThan(2000);
  });
});

describe('roads', () => {
  it('run inside the county, in every class', () => {
    expect(new Set(county.roads.map((road) => road.class))).toEqual(
      new Set(['major_highway', 'normal_road', 'local_road']),
    );
    expect(county.roads.every((road) => road.line.length >= 2)).toBe(true);
    for (const name of ['State Route 118', 'Quill Brook Road', 'Old Kiln Road', 'Ferry Lane']) {
      expect(county.roads.map((road) => road.name)).toContain(name);
    }
  });
});
