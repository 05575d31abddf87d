/** The neighbors of a parcel as pages list them: numbered lots with their accounts, and where a notice to each goes. */
import type { MultiPolygon } from '../geo/geometry.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import type { Neighbour } from '../query/neighbours.ts';
import { storedShapes } from '../query/parcel-shapes.ts';
import { type NumberedLot as Numbered, numberedLots } from '../spec/numbered-lots.ts';
import type { LandStore } from '../store/land-store.ts';

/** An account with where its notice goes. */
export interface Addressed extends Neighbour {
  readonly second: string | null;
  /** Null: none is known. */
  readonly mailing: string | null;
  readonly polygons: MultiPolygon;
}

export type NumberedLot = Numbered<Addressed>;

export const shapesOf = (land: LandStore, ids: readonly number[]): ReadonlyMap<number, MultiPolygon> =>
  new Map([...storedShapes(land, ids)].map(([id, geom]) => [id, decodeMultiPolygon(geom)]));

interface MailingRow {
  readonly id: number;
  readonly second: string | null;
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
}

export function addressedLots(land: LandStore, neighbours: readonly Neighbour[]): NumberedLot[] {
  const ids = neighbours.map(({ property_id: id }) => id);
  const shapes = shapesOf(land, ids);
  const rows = land.file.all<MailingRow>(
    `SELECT property_id AS id, owner_name_2 AS second, mailing_address AS street, mailing_city AS city,
       mailing_state AS state, mailing_zip AS zip
     FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  const mailing = new Map(rows.map((row) => [row.id, row]));
  const addressed = neighbours.map((one): Addressed => {
    const row = mailing.get(one.property_id);
    return {
      ...one,
      second: row?.second || null,
      mailing: row ? addressOf(row) : null,
      polygons: shapes.get(one.property_id) ?? [],
    };
  });
  return numberedLots(addressed);
}

/** Null without a street or box: nothing can be sent there. */
function addressOf({ street, city, state, zip }: MailingRow): string | null {
  if (!street) return null;
  return [street, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}
