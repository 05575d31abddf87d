/** Ids that never change: a UUIDv5 (RFC 9562) of a thing's identity, so that importing again finds the same one. */
import { v5 as uuidV5 } from 'uuid';

const namespaceOf = (kind: string): string => uuidV5(`platbook:${kind}`, uuidV5.URL);

const compNamespace = namespaceOf('comps');
const regionNamespace = namespaceOf('regions');

/** Id of a comp, from its source and its id there. */
export const compId = (source: string, sourceId: string): string => uuidV5(`${source}\n${sourceId}`, compNamespace);

/** Id of a market region, from its type (`county`, `zip`) and code (FIPS, ZIP). */
export const regionId = (type: string, code: string): string => uuidV5(`${type}\n${code}`, regionNamespace);
