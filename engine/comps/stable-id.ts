/** Ids that never change: UUIDv5 (RFC 9562) of what a thing is, so that importing again finds the same one. */
import { v5 as uuidV5 } from 'uuid';

const namespaceOf = (kind: string): string => uuidV5(`platbook:${kind}`, uuidV5.URL);

const compNamespace = namespaceOf('comps');
const regionNamespace = namespaceOf('regions');

/** Id of a comp: of its source and the id that it has there. */
export const compId = (source: string, sourceId: string): string => uuidV5(`${source}\n${sourceId}`, compNamespace);

/** Id of a market region, from its type (`county`, `zip`) and code (FIPS, ZIP). */
export const regionId = (type: string, code: string): string => uuidV5(`${type}\n${code}`, regionNamespace);
