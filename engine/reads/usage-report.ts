/** The Usage screen: the period's totals and breakdown as in the API, and the latest charges one by one. */
import Type from 'typebox';
import { chargeCount } from '../account/ledger-days.ts';
import { getUsage } from '../operations/get-usage.ts';
import { getUsageBreakdown } from '../operations/get-usage-breakdown.ts';
import { operations } from '../operations/index.ts';
import { runAtHome } from '../operations/operation.ts';
import { count, orNull, strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const text = Type.String();
const line = Type.Object(
  {
    ledger_id: Type.Integer(),
    charged_at: text,
    endpoint: text,
    mode: text,
    tokens: Type.Integer(),
    request_id: orNull(text, { description: 'Null for charges older than this field.' }),
    key_name: orNull(text, {
      description: 'Name of the key; null where the call came from this computer’s own app, scripts or assistants.',
    }),
  },
  strict,
);
const mostCalls = 1000;

const callsSql = `
SELECT l.ledger_id, l.charged_at, l.endpoint, l.mode, l.tokens, l.request_id, k.name AS key_name
FROM ledger l LEFT JOIN api_keys k USING (key_id) ORDER BY l.ledger_id DESC LIMIT ?`;

const names: Readonly<Record<string, string>> = Object.fromEntries(
  operations.flatMap(({ name, meteringKey }) => (meteringKey === null ? [] : [[meteringKey, name]])),
);

export const usageReport = defineRead({
  name: 'usage_report',
  docs: 'Totals and breakdown of the current period as the API answers them, and the last charges with their request ids, newest first.',
  input: Type.Object({ limit: Type.Optional(wholeNumberSchema(1, mostCalls)) }, strict),
  output: Type.Object(
    {
      totals: getUsage.output,
      breakdown: getUsageBreakdown.output,
      calls: Type.Array(line),
      call_count: count('Charges of all time.'),
      operations: Type.Record(text, text, {
        description: 'The operation of each endpoint in the ledger.',
      }),
      today: Type.String({ description: 'UTC, as the ledger counts days.' }),
    },
    strict,
  ),
  run: ({ limit = 50 }, context) => {
    const { file } = context.account;
    return {
      totals: runAtHome(getUsage, {}, context),
      breakdown: runAtHome(getUsageBreakdown, {}, context),
      calls: file.all<ValueOf<typeof line>>(callsSql, limit),
      call_count: chargeCount(context.account),
      operations: names,
      today: context.now().toISOString().slice(0, 10),
    };
  },
});
