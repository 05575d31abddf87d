/** Counties and ZIP codes by the start of their names, for the field that adds a market. */
import Type from 'typebox';
import { listRegions, regionFields } from '../operations/list-regions.ts';
import { runAtHome } from '../operations/operation.ts';
import { count, strict, textSchema } from '../spec/value-schemas.ts';
import { defineRead, type ReadContext } from './read.ts';

const shown = 12;

export const regions = defineRead({
  name: 'regions',
  docs: `The first ${shown} counties and ZIP codes that list_regions finds, and which of them are saved as markets.`,
  input: Type.Object({ search: textSchema() }, strict),
  output: Type.Object(
    {
      regions: Type.Array(Type.Object({ ...regionFields, is_saved: Type.Boolean() }, strict)),
      count: count('The number of all matches; only the first are listed.'),
    },
    strict,
  ),
  run: ({ search }, context) => {
    const { results, count } = found(search, context);
    const saved = new Set(context.account.file.column<string>('SELECT region_id FROM saved_markets'));
    return { regions: results.map((region) => ({ ...region, is_saved: saved.has(region.id) })), count };
  },
});

/** Calls the free operation itself. */
const found = (search: string, context: ReadContext) => runAtHome(listRegions, { search, page_size: shown }, context);
