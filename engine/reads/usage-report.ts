/** The Usage screen: the period's totals and breakdown as the API gives them, and the last charges one by one. */
import Type from 'typebox';
import { chargeCount } from '../account/ledger-days.ts';
import { getUsage, type UsageTotals } from '../operations/get-usage.ts';
import { getUsageBreakdown, type UsageBreakdown } from '../operations/get-usage-breakdown.ts';
import { operations } from '../operations/index.ts';
import { wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead, type ReadContext } from './read.ts';

export interface LedgerLine {
  readonly ledger_id: number;
  readonly charged_at: string;
  readonly endpoint: string;
  readonly mode: string;
  readonly tokens: number;
  /** Null for charges from before Platbook noted it. */
  readonly request_id: string | null;
  /** Name of the key; null where the call came from this computer's own app, scripts or assistants. */
  readonly key_name: string | null;
}

export interface UsageReport {
  readonly totals: UsageTotals;
  readonly breakdown: UsageBreakdown;
  readonly calls: readonly LedgerLine[];
  /** Charges of all time. */
  readonly call_count: number;
  /** What each endpoint of the ledger is called as an operation. */
  readonly operations: Readonly<Record<string, string>>;
  /** Today, UTC, as the ledger counts days. */
  readonly today: string;
}

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);
const strict = { additionalProperties: false };
const mostCalls = 1000;

const callsSql = `
SELECT l.ledger_id, l.charged_at, l.endpoint, l.mode, l.tokens, l.request_id, k.name AS key_name
FROM ledger l LEFT JOIN api_keys k USING (key_id) ORDER BY l.ledger_id DESC LIMIT ?`;

const names: Readonly<Record<string, string>> = Object.fromEntries(
  operations.flatMap(({ name, meteringKey }) => (meteringKey === null ? [] : [[meteringKey, name]])),
);

export const usageReport = defineRead<{ limit?: number }, UsageReport>({
  name: 'usage_report',
  docs: 'Totals and breakdown of the current period as the API answers them, and the last charges with their request ids, newest first.',
  input: Type.Object({ limit: Type.Optional(wholeNumberSchema(1, mostCalls)) }, strict),
  output: Type.Object(
    {
      totals: getUsage.output,
      breakdown: getUsageBreakdown.output,
      calls: Type.Array(
        Type.Object(
          {
            ledger_id: Type.Integer(),
            charged_at: text,
            endpoint: text,
            mode: text,
            tokens: Type.Integer(),
            request_id: textOrNull,
            key_name: textOrNull,
          },
          strict,
        ),
      ),
      call_count: Type.Integer({ minimum: 0 }),
      operations: Type.Record(text, text),
      today: text,
    },
    strict,
  ),
  run: ({ limit = 50 }, context) => {
    const { file } = context.account;
    const stores = storesOf(context);
    return {
      totals: getUsage.run({}, stores),
      breakdown: getUsageBreakdown.run({}, stores),
      calls: file.all<LedgerLine>(callsSql, limit),
      call_count: chargeCount(context.account),
      operations: names,
      today: context.now().toISOString().slice(0, 10),
    };
  },
});

const storesOf = ({ land, account, people, now }: ReadContext) => ({ land, account, people, now, pageLink: () => '' });
