/** `platbook sales suspect`: the sales of a county that rules speak against, kept or struck out by hand. */
import { type Command, Option } from 'commander';
import { csvText } from '../http/csv.ts';
import { suspectSales } from '../reads/suspect-sales.ts';
import { counted } from '../spec/counted.ts';
import { neutralText } from '../spec/formula-cells.ts';
import { struckSentence, struckTotal, struckWords, suspectRuleNames, suspectRules } from '../spec/suspect-rules.ts';
import { percentText } from '../spec/value-terms.ts';
import { runChange } from '../work/index.ts';
import { strikeBySaid } from '../work/sale-verdicts.ts';
import { parseFips } from './arguments.ts';
import { withEngine } from './home.ts';
import { grouped, type Output, tableText } from './output.ts';

interface SuspectFlags {
  readonly keep?: readonly string[];
  readonly strike?: readonly string[];
  readonly forget?: readonly string[];
  readonly csv?: boolean;
  readonly json?: boolean;
}

const verdicts = { keep: 'keep', strike: 'strike', forget: 'none' } as const;

export function addSalesCommand(program: Command, output: Output): void {
  program
    .command('sales')
    .command('suspect <fips>')
    .description('what speaks against each sale, and whether values, statistics and models leave it out')
    .option('--keep <ids...>', 'keep these sales, whatever the rules say')
    .option('--strike <ids...>', 'strike these sales or listings out')
    .option('--forget <ids...>', 'leave these sales to the rules again')
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  platbook sales suspect 33019')
    .action((fips: string, flags: SuspectFlags, command: Command) =>
      withEngine(command, output, async (engine) => {
        const county = parseFips(fips);
        for (const [flag, verdict] of Object.entries(verdicts)) {
          const ids = flags[flag as keyof typeof verdicts];
          if (ids) await runChange(engine, 'judge_sales', { comp_ids: ids, verdict });
        }
        // sales of homes older than the rules are struck as soon as they are listed
        strikeBySaid(engine, [`${county}|`]);
        printSuspects(suspectSales.run({ fips: county }, engine), flags, output);
      }),
    );
}

type Found = ReturnType<typeof suspectSales.run>;

const rowOf = ({ rules, verdict, struck, ...sale }: Found['suspects'][number]) => ({
  id: sale.id,
  apn: neutralText(sale.apn),
  sold: sale.sold_date ?? '',
  price: sale.price,
  acres: sale.acres ?? '',
  seller: neutralText(sale.seller ?? ''),
  why: rules.map((rule) => suspectRules[rule].words).join('; '),
  said: verdict ?? '',
  counts: struck === null ? 'yes' : `no: ${struckWords(struck)}`,
});

function printSuspects(found: Found, { csv, json }: SuspectFlags, output: Output): void {
  const rows = found.suspects.map(rowOf);
  if (json) output.print(JSON.stringify(found));
  else if (csv) output.print(csvText(Object.keys(rows[0] ?? { id: '' }), rows).trimEnd());
  else {
    for (const line of summaryOf(found)) output.print(line);
    if (rows.length > 0) output.print(`\n${tableText(Object.keys(rows[0] ?? {}), rows)}`);
  }
}

function summaryOf({ sales, struck, suspects }: Found): string[] {
  const byRule = suspectRuleNames.flatMap((rule) => {
    const count = suspects.filter(({ rules }) => rules.includes(rule)).length;
    const { words, strikes } = suspectRules[rule];
    const share = percentText(count / sales);
    return count === 0
      ? []
      : [`${grouped(count)} (${share}): ${words}; ${strikes ? 'struck out unless kept' : 'counts unless struck'}`];
  });
  return [
    `${counted(sales, 'sale', 'sales')}, ${grouped(suspects.length)} suspect or judged.`,
    ...byRule,
    ...(struckTotal(struck) > 0 ? [`${struckSentence(struck)}.`] : []),
  ];
}
