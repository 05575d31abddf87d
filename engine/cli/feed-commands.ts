/** `platbook feeds …`: addresses that a spreadsheet or QGIS reads, while `platbook serve` or `start` runs. */
import type { Command } from 'commander';
import { type FeedMade, listedFeeds } from '../operations/feed-fields.ts';
import { makeFeedChange } from '../work/feeds.ts';
import { runChange } from '../work/index.ts';
import { parseJson, parseRowNumber } from './arguments.ts';
import { withEngine } from './home.ts';
import { type Output, tableText } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

export function addFeedCommands(program: Command, output: Output): void {
  const feeds = program.command('feeds');
  const { input } = makeFeedChange;
  addSchemaOptions(feeds.command('make <kind> <json>'), input)
    .description('make a feed of a search, of comps or of a value; its address is shown once')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
<json> is a filter body, the input of list_comps, or {"id":17,"field":"mean_adjusted_price"}; a value without "id" takes
one in its address: ?id=17.

Example:
  platbook feeds make search '{"county":"33019","acres_min":20}' --name "Large lots"`,
    )
    .action((kind: string, json: string, options: { json?: boolean }, command: Command) =>
      withEngine(command, output, async (engine) => {
        const asked = { kind, input: parseJson(json), ...givenFields(input, options) };
        const { data, notices } = await engine.callUnchecked('make_feed', asked, { mode: 'script' });
        show(data as FeedMade, options.json, output);
        for (const notice of notices) output.note(notice);
      }),
    );
  feeds
    .command('list', { isDefault: true })
    .description('list feeds; addresses are not stored')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ account }) => {
        const rows = listedFeeds(account);
        const columns = ['feed_id', 'kind', 'name', 'made_at', 'last_used_at'];
        output.print(options.json ? JSON.stringify(rows) : tableText(columns, rows));
      }),
    );
  feeds
    .command('renew <feed-id>')
    .description('give a feed a new address; the old one stops working')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }, command: Command) =>
      withEngine(command, output, async (engine) => {
        const renewed = await runChange(engine, 'renew_feed', { feed_id: parseRowNumber(id, 'feed') });
        show(renewed.data as FeedMade, options.json, output);
      }),
    );
  feeds
    .command('revoke <feed-id>')
    .description('end a feed for good')
    .action((id: string, _options: unknown, command: Command) =>
      withEngine(command, output, async (engine) => {
        await runChange(engine, 'revoke_feed', { feed_id: parseRowNumber(id, 'feed') });
        output.print(`Feed ${id} is revoked.`);
      }),
    );
}

function show(made: FeedMade, asJson: boolean | undefined, output: Output): void {
  if (asJson) {
    output.print(JSON.stringify(made));
    return;
  }
  for (const address of made.addresses) output.print(address);
  output.note(`Feed ${made.feed_id}. Its address is shown only now; it answers while Platbook is served on that port.`);
}
