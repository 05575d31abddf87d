/** What is said of suspect sales: kept or struck out, for values, statistics and models alike. */
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { countyOfKey, readSaleVerdicts, saleKeysOf, strikeSuspects } from '../query/suspect-sales.ts';
import { counted } from '../spec/counted.ts';
import { validationError } from '../spec/errors.ts';
import { saleVerdicts } from '../spec/suspect-rules.ts';
import { choiceSchema, strict } from '../spec/value-schemas.ts';
import { defineChange, writeJournaled } from './change.ts';

const said = { keep: 'Kept', strike: 'Struck out', none: 'Left to the rules:' };

/** Makes the land say what the verdicts of these sales say now. */
export function strikeBySaid({ land, account, now }: Engine, keys: Iterable<string>): void {
  const verdicts = readSaleVerdicts(account);
  const today = now().toISOString().slice(0, 10);
  for (const fips of new Set([...keys].map(countyOfKey))) strikeSuspects(land.file, fips, verdicts, today);
}

export const judgeSales = defineChange({
  name: 'judge_sales',
  docs: 'Keeps suspect sales, strikes sales out of values, statistics and models, or leaves them to the rules again. Kept by lot, day and price, so it outlives imports.',
  input: Type.Object(
    {
      comp_ids: Type.Array(Type.String(), { minItems: 1, maxItems: 10_000, 'x-expected': 'a list of ids of comps' }),
      verdict: choiceSchema([...saleVerdicts, 'none']),
    },
    strict,
  ),
  output: Type.Object({ changed: Type.Integer() }, strict),
  isJournaled: true,
  run: (input, engine) => {
    const keys = saleKeysOf(engine.land.file, input.comp_ids);
    const missing = input.comp_ids.find((id) => !keys.has(id));
    if (missing !== undefined) throw validationError({ comp_ids: [`there is no comp ${JSON.stringify(missing)}`] });
    const done = writeJournaled(engine, 'judge_sales', input, ({ at }) => {
      let changed = 0;
      for (const key of new Set(keys.values()))
        changed +=
          input.verdict === 'none'
            ? engine.account.file.run('DELETE FROM sale_verdicts WHERE sale_key = ?', key).changes
            : engine.account.file.run(
                `INSERT INTO sale_verdicts (sale_key, verdict, said_at) VALUES (?, ?, ?)
                 ON CONFLICT (sale_key) DO UPDATE SET verdict = excluded.verdict, said_at = excluded.said_at
                 WHERE verdict <> excluded.verdict`,
                ...[key, input.verdict, at],
              ).changes;
      return {
        data: { changed },
        sentence: `${said[input.verdict]} ${counted(keys.size, 'sale', 'sales')}`,
      };
    });
    strikeBySaid(engine, keys.values());
    return done;
  },
});
