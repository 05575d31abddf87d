/** Counties and ZIP codes by the start of their names, for the field that adds a market. */
import Type from 'typebox';
import type { Region } from '../comps/regions.ts';
import { listRegions, regionFields } from '../operations/list-regions.ts';
import { textSchema } from '../spec/value-schemas.ts';
import { defineRead, type ReadContext } from './read.ts';

const shown = 12;

export interface FoundRegions {
  readonly regions: readonly (Region & { readonly is_saved: boolean })[];
  /** All that fit; the first of them are listed. */
  readonly count: number;
}

export const regions = defineRead<{ search: string }, FoundRegions>({
  name: 'regions',
  docs: `The first ${shown} counties and ZIP codes that list_regions finds, and which of them are saved as markets.`,
  input: Type.Object({ search: textSchema() }, { additionalProperties: false }),
  output: Type.Object(
    {
      regions: Type.Array(Type.Object({ ...regionFields, is_saved: Type.Boolean() }, { additionalProperties: false })),
      count: Type.Integer({ minimum: 0 }),
    },
    { additionalProperties: false },
  ),
  run: ({ search }, context) => {
    const { results, count } = found(search, context);
    const saved = new Set(context.account.file.column<string>('SELECT region_id FROM saved_markets'));
    return { regions: results.map((region) => ({ ...region, is_saved: saved.has(region.id) })), count };
  },
});

/** The free operation itself. */
const found = (search: string, { land, account, people, now }: ReadContext) =>
  listRegions.run({ search, page_size: shown }, { land, account, people, now, pageLink: () => '' });
