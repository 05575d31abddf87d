/** Which parcels a plat book shows, for every door: those of an export. */
import type { BookChoice } from '../book/book-parcels.ts';
import type { Engine } from '../engine.ts';
import type { LiveFilter } from '../query/live-request.ts';
import { normalFips } from '../spec/value-schemas.ts';
import { type ExportWhat, standingParcels } from './export-choice.ts';

/** Whole counties stay counties: their ids need not be listed. @throws EngineError as exports do */
export function bookChoice(engine: Pick<Engine, 'land' | 'account'>, what: ExportWhat): BookChoice {
  const counties = 'filter' in what ? wholeCounties(what.filter) : null;
  return counties ? { counties, ids: null } : { counties: null, ids: standingParcels(engine, { what }).ids };
}

/** The counties of a filter that asks for nothing else; null for others. */
export function wholeCounties({ county, counties = [], ...more }: LiveFilter): string[] | null {
  const named = [...(county === undefined ? [] : [county]), ...counties];
  return named.length > 0 && Object.keys(more).length === 0 ? named.map(normalFips) : null;
}
