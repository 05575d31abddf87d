/** What an import did to its parcels. */
import Type from 'typebox';
import { parcelFates, importChanges as readChanges } from '../importing/merge/import-changes.ts';
import { count, oneOf, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const value = Type.Union([Type.String(), Type.Number(), Type.Null()]);

export const importChanges = defineRead({
  name: 'import_changes',
  docs: 'What the latest import or deletion of a dataset did to its parcels: new, changed, retired, returned or removed, with the published values before and now; the first 500.',
  input: Type.Object({ import_id: wholeNumberSchema(1, Number.MAX_SAFE_INTEGER) }, strict),
  output: Type.Object(
    {
      parcels: count('What the import counted; more than is listed if there are many.'),
      listed: Type.Array(
        Type.Object(
          {
            property_id: count(),
            apn: Type.String(),
            what: oneOf(parcelFates),
            values: Type.Array(Type.Object({ column: Type.String(), before: value, now: value }, strict)),
            is_redrawn: Type.Boolean({ description: 'Whether its shape is another.' }),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  run: ({ import_id: id }, { land }) => {
    const { parcels, listed } = readChanges(land, id);
    return { parcels, listed: listed.map((one) => ({ ...one, values: one.values.map((each) => ({ ...each })) })) };
  },
});
