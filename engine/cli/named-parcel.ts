/** A parcel that a command names by its APN. */
import type { Engine } from '../engine.ts';
import { EngineError } from '../spec/errors.ts';

interface NamedParcel {
  readonly id: number;
  readonly longitude: number;
  readonly latitude: number;
}

/** The parcel in the middle of its box, so that the whole of it is seen. @throws EngineError not_found, usage */
export function findParcel({ land }: Engine, apn: string): NamedParcel {
  const found = land.file.all<NamedParcel>(
    `SELECT p.property_id AS id, (i.xmin + i.xmax) / 2 AS longitude, (i.ymin + i.ymax) / 2 AS latitude
     FROM parcels p JOIN idx_parcels_geom i ON i.pkid = p.property_id WHERE p.apn = ? AND p.status = 'current' LIMIT 3`,
    apn,
  );
  const [one] = found;
  if (!one) throw new EngineError('not_found', `There is no parcel ${JSON.stringify(apn)} with a shape.`);
  if (found.length > 1)
    throw new EngineError('usage', `several parcels have the APN ${JSON.stringify(apn)}: name the place with --center`);
  return one;
}
