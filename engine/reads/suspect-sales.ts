/** The suspect sales of a county, with what speaks against each, and what the user said. */
import Type from 'typebox';
import { countySuspects, readSaleVerdicts, type SuspectSale } from '../query/suspect-sales.ts';
import { type StruckCounts, saleVerdicts, struckBys, suspectRuleNames } from '../spec/suspect-rules.ts';
import { count, fipsSchema, normalFips, oneOf, orNull, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const rowSchema = Type.Object(
  {
    id: Type.String(),
    property_id: orNull(Type.Integer()),
    apn: Type.String(),
    address: Type.String(),
    source: Type.String(),
    sold_date: orNull(Type.String()),
    acres: orNull(Type.Number()),
    price: Type.Number(),
    seller: orNull(Type.String()),
    buyer: orNull(Type.String()),
    rules: Type.Array(oneOf(suspectRuleNames)),
    verdict: orNull(oneOf(saleVerdicts)),
    struck: orNull(oneOf(struckBys)),
  },
  strict,
);

const shownRow = ({ row, rules, verdict, struck }: SuspectSale) => ({
  id: row.comp_id,
  property_id: row.property_id,
  apn: row.apn ?? '',
  address: row.address ?? '',
  source: row.source,
  sold_date: row.sold_date,
  acres: row.lot_size,
  price: row.price,
  seller: row.seller,
  buyer: row.buyer,
  rules: [...rules],
  verdict,
  struck,
});

export const suspectSales = defineRead({
  name: 'suspect_sales',
  docs: 'The sales of a county that rules or the user speak against, newest first: why, and whether values, statistics and models leave them out.',
  input: Type.Object({ fips: fipsSchema() }, strict),
  output: Type.Object(
    {
      sales: count('Sales of the county, suspect or not.'),
      struck: Type.Unsafe<StruckCounts>(Type.Record(Type.String(), Type.Integer())),
      suspects: Type.Array(rowSchema),
    },
    strict,
  ),
  run: ({ fips }, { land, account, now }) => {
    const today = now().toISOString().slice(0, 10);
    const found = countySuspects(land.file, normalFips(fips), readSaleVerdicts(account), today);
    return { ...found, suspects: found.suspects.map(shownRow) };
  },
});
