/** A polygon of rings of [longitude, latitude]; the outer ring runs counter-clockwise (RFC 7946). */
export type SampleRing = [number, number][];

export type SampleGeometry =
  | { type: 'Polygon'; coordinates: SampleRing[] }
  | { type: 'MultiPolygon'; coordinates: SampleRing[][] };

export type SampleValue = string | number | boolean | number[] | null;

export interface SampleParcel {
  geometry: SampleGeometry | null;
  /** Keyed by the published columns of the parcel dictionary. */
  properties: Record<string, SampleValue>;
}

export interface SampleComp {
  source_id: string;
  source: string;
  status: 'ACTIVE' | 'PENDING' | 'SOLD';
  address: string;
  city: string;
  state: string;
  zip: string;
  county: string;
  apn: string;
  latitude: number;
  longitude: number;
  /** Acres. */
  lot_size: number | null;
  price: number;
  list_date: string | null;
  sold_date: string | null;
  days_on_market: number | null;
  sale_type: string;
  url: string;
  photos: string[];
}

export interface SamplePhone {
  /** Ten digits, always 555-0100 to 555-0199 after the area code. */
  number: string;
  line_type: 'Mobile' | 'Landline' | null;
  dnc: boolean | null;
}

export interface SampleContact {
  first_name: string;
  last_name: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  phones: SamplePhone[];
}

export type RoadClass = 'major_highway' | 'normal_road' | 'local_road';

export interface SampleRoad {
  name: string;
  class: RoadClass;
  line: [number, number][];
}

export interface SampleCounty {
  parcels: SampleParcel[];
  comps: SampleComp[];
  contacts: SampleContact[];
  roads: SampleRoad[];
  /** The county's edge: a closed ring with every parcel corner on it. */
  outline: SampleRing;
}
