/** `platbook keys …` and `platbook plan …`. */
import type { Command } from 'commander';
import { createKey, type KeyScope, keyScopes, listKeys, revokeKey } from '../account/api-keys.ts';
import { changePlan, type Plan, readPlan, type Tier, tiers } from '../account/plan.ts';
import { EngineError } from '../spec/errors.ts';
import { withEngine, withNewEngine } from './home.ts';
import { type Output, tableText } from './output.ts';

const usage = (message: string) => new EngineError('usage', message);

export function addAccountCommands(program: Command, output: Output): void {
  addKeyCommands(program, output);
  addPlanCommands(program, output);
}

function addKeyCommands(program: Command, output: Output): void {
  const keys = program.command('keys');
  keys
    .command('create')
    .description('make a key; it is shown once')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--scopes <list>', `comma-separated: ${keyScopes.join(', ')}`, 'read')
    .option('--json', 'print {"id","name","scopes","key"}')
    .addHelpText('after', '\nExample:\n  platbook keys create --name spreadsheet --scopes read,write')
    .action((options: { name: string; scopes: string; json?: boolean }, command: Command) =>
      withNewEngine(command, output, ({ account, now }) => {
        if (options.name.trim() === '') throw usage('--name: expected what the key is for, found nothing');
        const key = createKey(account, options.name.trim(), parseScopes(options.scopes), now());
        output.print(options.json ? JSON.stringify(key) : key.key);
        if (!options.json)
          output.note(`Key ${key.id} "${key.name}" (${key.scopes.join(', ')}). It is shown only now; keep it.`);
      }),
    );
  keys
    .command('list')
    .description('list keys; the keys themselves are not shown')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ account }) => {
        const rows = listKeys(account).map((key) => ({ ...key, scopes: key.scopes.join(',') }));
        output.print(
          options.json
            ? JSON.stringify(listKeys(account))
            : tableText(['id', 'name', 'scopes', 'created_at', 'last_used_at', 'revoked_at'], rows),
        );
      }),
    );
  keys
    .command('revoke <id>')
    .description('revoke a key at once')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ account, now }) => {
        if (!/^\d+$/.test(id) || !revokeKey(account, Number(id), now()))
          throw new EngineError('not_found', `There is no valid key ${id}.`);
        output.print(options.json ? JSON.stringify({ id: Number(id), revoked: true }) : `Key ${id} is revoked.`);
      }),
    );
}

function parseScopes(list: string): KeyScope[] {
  const named = list.split(',').map((scope) => scope.trim());
  const stranger = named.find((scope) => !keyScopes.some((known) => known === scope));
  if (stranger !== undefined)
    throw usage(`--scopes: expected ${keyScopes.join(', ')}, found ${JSON.stringify(stranger)}`);
  return keyScopes.filter((scope) => named.includes(scope));
}

interface PlanOptions {
  pro?: string;
  tier?: string;
  tokensIncluded?: string;
  overageCentsPer1000?: string;
  cap?: string;
  invoicePaid?: string;
  periodAnchorDay?: string;
  json?: boolean;
}

function addPlanCommands(program: Command, output: Output): void {
  const plan = program.command('plan');
  const show = (json: boolean | undefined, row: Plan) =>
    output.print(
      json
        ? JSON.stringify(row)
        : tableText(
            ['setting', 'value'],
            Object.entries(row).map(([setting, value]) => ({ setting, value: String(value ?? 'none') })),
          ),
    );
  plan
    .command('show')
    .description('show the plan')
    .option('--json', 'print JSON')
    .action((options: PlanOptions, command: Command) =>
      withEngine(command, output, ({ account }) => show(options.json, readPlan(account))),
    );
  plan
    .command('set')
    .description('change the plan')
    .option('--pro <true|false>', 'whether the plan is Pro')
    .option('--tier <tier>', `none, ${tiers.join(', ')}`)
    .option('--tokens-included <n>', 'tokens included in a period')
    .option('--overage-cents-per-1000 <n>', 'US cents for 1,000 tokens above those included')
    .option('--cap <n|none>', 'tokens per period after which calls are refused')
    .option('--invoice-paid <true|false>', 'whether the invoice is paid')
    .option('--period-anchor-day <day>', 'day of the month on which a period begins, 1 to 31')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  platbook plan set --tier growth --tokens-included 100000 --cap none')
    .action((options: PlanOptions, command: Command) =>
      withNewEngine(command, output, ({ account }) => {
        changePlan(account, parsePlan(options));
        show(options.json, readPlan(account));
      }),
    );
}

function parsePlan(options: PlanOptions): Partial<Plan> {
  const { pro, tier, tokensIncluded, overageCentsPer1000, cap, invoicePaid, periodAnchorDay } = options;
  const change = {
    ...(pro === undefined ? {} : { pro: parseBoolean('--pro', pro) }),
    ...(tier === undefined ? {} : { tier: parseTier(tier) }),
    ...(tokensIncluded === undefined
      ? {}
      : { tokens_included: parseNumber('--tokens-included', tokensIncluded, whole) }),
    ...(overageCentsPer1000 === undefined
      ? {}
      : { overage_cents_per_1000: parseNumber('--overage-cents-per-1000', overageCentsPer1000, amount) }),
    ...(cap === undefined ? {} : { cap_tokens: cap === 'none' ? null : parseNumber('--cap', cap, whole) }),
    ...(invoicePaid === undefined ? {} : { invoice_paid: parseBoolean('--invoice-paid', invoicePaid) }),
    ...(periodAnchorDay === undefined
      ? {}
      : { period_anchor_day: parseNumber('--period-anchor-day', periodAnchorDay, dayOfMonth) }),
  };
  if (Object.keys(change).length === 0) throw usage('nothing to change: name at least one setting (--help shows them)');
  return change;
}

function parseBoolean(option: string, text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw usage(`${option}: expected true or false, found ${JSON.stringify(text)}`);
  return text === 'true';
}

function parseTier(text: string): Tier | null {
  if (text === 'none') return null;
  const tier = tiers.find((known) => known === text);
  if (!tier) throw usage(`--tier: expected none, ${tiers.join(', ')}, found ${JSON.stringify(text)}`);
  return tier;
}

interface NumberForm {
  readonly form: RegExp;
  readonly words: string;
}

const whole: NumberForm = { form: /^\d{1,15}$/, words: 'a whole number from 0' };
const amount: NumberForm = { form: /^\d{1,9}(\.\d{1,6})?$/, words: 'a number from 0' };
const dayOfMonth: NumberForm = { form: /^([1-9]|[12]\d|3[01])$/, words: 'a day from 1 to 31' };

function parseNumber(option: string, text: string, { form, words }: NumberForm): number {
  if (!form.test(text)) throw usage(`${option}: expected ${words}, found ${JSON.stringify(text)}`);
  return Number(text);
}
