/** The columns of the market board are the statuses of its markets: renaming a column changes all of them at once. */
import Type from 'typebox';
import { statusField } from '../operations/saved-market-list.ts';
import { EngineError } from '../spec/errors.ts';
import { count, strict } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';

const input = Type.Object({ from: statusField, to: statusField }, strict);

export const renameMarketColumn = defineChange({
  name: 'rename_market_column',
  docs: 'Changes the status of every saved market that has a given one; their order stays.',
  input,
  output: Type.Object({ changed: count() }, strict),
  write: ({ from, to }, { engine, at }) => {
    const { changes } = engine.account.file.run(
      'UPDATE saved_markets SET status = ?, updated_at = ? WHERE status = ?',
      to,
      at,
      from,
    );
    if (changes === 0) throw new EngineError('not_found', `No saved market has the status ${JSON.stringify(from)}.`);
    return { data: { changed: changes }, sentence: `Renamed the column ${from} to ${to}` };
  },
});
