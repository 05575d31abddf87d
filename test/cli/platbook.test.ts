import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { addCommands, commandFiles } from '../../engine/cli/commands.ts';
import { exitCodes, signalCodes } from '../../engine/cli/exit-codes.ts';
import { standardOutput, tableText } from '../../engine/cli/output.ts';
import { unfitNodeSentence } from '../../engine/node-version.mjs';
import { operations } from '../../engine/operations/index.ts';
import { copyOfHome, emptyHome, sampleHome } from '../support/homes.ts';
import { ended, launcher, platbook, platbookProcess, platbookRunning, platbookUntil } from '../support/platbook.ts';
import { requireOrSkip } from '../support/require.ts';

describe('an unfit Node', () => {
  test.each([
    ['18.20.0', true],
    ['20.20.2', true],
    ['22.17.9', true],
    ['22.18.0', false],
    ['24.21.0', false],
    ['26.1.0', false],
  ])('%s is refused: %s', (version, refused) => {
    expect(unfitNodeSentence(version) !== null).toBe(refused);
  });

  const systemNode = ['/usr/bin/node', '/usr/local/bin/node'].find((file) => fs.existsSync(file));
  const old =
    systemNode && unfitNodeSentence(execFileSync(systemNode, ['--version'], { encoding: 'utf8' }).slice(1))
      ? systemNode
      : null;

  test.runIf(requireOrSkip('an old Node', old !== null, 'the machine’s own Node is new enough'))(
    'gets one sentence instead of a crash',
    () => {
      const launcher = path.resolve(import.meta.dirname, '..', '..', 'engine', 'bin', 'platbook.mjs');
      const run = spawnSync(old ?? '', [launcher, 'check'], { encoding: 'utf8', env: { PLATBOOK_HOME: emptyHome() } });
      expect(run.signal).toBeNull();
      expect(run.status).toBe(1);
      expect(run.stderr).toMatch(/^Platbook needs Node 22\.18 or newer, found 2\d\.\d+\.\d+\. [^\n]+\n$/);
      expect(run.stdout).toBe('');
    },
  );
});

describe('platbook', () => {
  test.each([
    ['standard output', '--help', exitCodes.done],
    ['standard error', 'frobnicate', exitCodes.usage],
  ] as const)('ends quietly if nothing reads its %s any more', async (stream, word, code) => {
    const { child, finished } = platbookRunning(emptyHome(), word);
    const [gone, kept] = stream === 'standard output' ? [child.stdout, child.stderr] : [child.stderr, child.stdout];
    gone?.destroy();
    let heard = '';
    kept?.on('data', (chunk) => {
      heard += String(chunk);
    });
    expect((await finished).code).toBe(code);
    expect(heard).toBe('');
  });

  test('takes a date as it prints it', async () => {
    const home = copyOfHome(sampleHome());
    const found = async (min: string, max: string) => {
      const { county } = { county: JSON.parse((await platbook(home, 'call', 'list_datasets')).out).datasets[0].fips };
      const filter = { county, last_sale_date_min: min, last_sale_date_max: max };
      return JSON.parse((await platbook(home, 'call', 'filter_properties', JSON.stringify(filter))).out);
    };
    const printed = await found('2015-01-31', '2024-12-31');
    expect(printed.count).toBeGreaterThan(0);
    expect(printed).toEqual(await found('20150131', '20241231'));
  });

  test('lists every command, in one order, whichever of them are loaded', async () => {
    for (const { commands, load } of commandFiles) {
      const program = new Command();
      (await load())(program, standardOutput);
      expect(program.commands.map((command) => command.name()).sort()).toEqual(Object.keys(commands).sort());
    }
    const names = commandFiles.flatMap(({ commands }) => Object.keys(commands));
    const helped = async (args: readonly string[]) => {
      const program = new Command();
      await addCommands(program, args, standardOutput);
      return program.configureHelp({ subcommandTerm: (command) => command.name() }).helpInformation();
    };
    expect(await helped(names)).toBe(await helped([]));
  });

  test('explains every command with an example, and exits 0', async () => {
    const { code, out } = await platbookProcess(emptyHome(), '--help');
    expect(code).toBe(0);
    const codes = out.slice(out.indexOf('Exit codes:'));
    for (const words of ['0 done', '1 refused or failed', '2 the command line', '130 interrupted with Ctrl+C'])
      expect(codes).toContain(words);
    for (const used of Object.values({ ...exitCodes, ...signalCodes })) expect(codes).toMatch(`${used} `);
    for (const command of ['serve', 'import', 'sample', 'keys', 'plan', 'call', 'check', 'datasets'])
      expect(out).toContain(command);
  });

  test('says where the data lie, of the home and of a sample beside it, and makes none', async () => {
    const home = path.join(emptyHome(), 'mine');
    const where = async (one: string) => (await platbook(one, 'home', '--where')).out.trim().split('\n');
    expect(await where(home)).toEqual([home]);
    expect(fs.existsSync(home)).toBe(false);
    fs.mkdirSync(`${home}-sample`);
    expect(await where(home)).toEqual([home, `${home}-sample`]);
    expect(await where(`${home}-sample`)).toEqual([`${home}-sample`]);
    expect((await platbook(home, 'home')).err).toContain('To remove Platbook');
  });

  test.each([
    [['frobnicate']],
    [['keys', 'create']],
    [['serve', '--port', 'x']],
    [['plan', 'set', '--tier', 'gold']],
    [['call', 'get_usage', '{']],
    [['plan', 'set']],
  ])('exits 2 when it does not understand %j', async (args) => {
    const { code, err } = await platbook(emptyHome(), ...args);
    expect(code).toBe(2);
    expect(err).not.toBe('');
  });

  test('gives its exit code to the shell, and errors to standard error', async () => {
    const { code, out, err } = await platbookProcess(emptyHome(), 'keys', 'create');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('--name');
  });

  test('makes keys, shows each once, lists and revokes them', async () => {
    const home = emptyHome();
    const made = await platbook(home, 'keys', 'create', '--name', 'sheet', '--scopes', 'read,trace', '--json');
    const key = JSON.parse(made.out) as Record<string, unknown>;
    expect(key).toEqual({
      id: 1,
      name: 'sheet',
      scopes: ['read', 'trace'],
      key: expect.stringMatching(/^plat_[\w-]{43}$/),
    });
    const listed = await platbook(home, 'keys', 'list', '--json');
    expect(JSON.parse(listed.out)).toMatchObject([
      { id: 1, name: 'sheet', scopes: ['read', 'trace'], revoked_at: null },
    ]);
    expect(listed.out).not.toContain(String(key.key));
    expect((await platbook(home, 'keys', 'revoke', '1')).code).toBe(0);
    expect((await platbook(home, 'keys', 'revoke', '1')).code).toBe(1);
    expect(JSON.parse((await platbook(home, 'keys', 'list', '--json')).out)[0].revoked_at).not.toBeNull();
  });

  test('changes the plan', async () => {
    const home = emptyHome();
    const args = [
      '--pro',
      'false',
      '--tier',
      'scale',
      '--tokens-included',
      '500',
      '--overage-cents-per-1000',
      '12.5',
      '--cap',
      '900',
      '--invoice-paid',
      'false',
    ];
    await platbook(home, 'plan', 'set', ...args);
    expect(JSON.parse((await platbook(home, 'plan', 'show', '--json')).out)).toEqual({
      pro: false,
      tier: 'scale',
      tokens_included: 500,
      overage_cents_per_1000: 12.5,
      cap_tokens: 900,
      invoice_paid: false,
      period_anchor_day: 1,
    });
    await platbook(home, 'plan', 'set', '--tier', 'none', '--cap', 'none');
    expect(JSON.parse((await platbook(home, 'plan', 'show', '--json')).out)).toMatchObject({
      tier: null,
      cap_tokens: null,
    });
  });

  test('calls an operation, metered, and says every problem of a wrong one', async () => {
    const home = copyOfHome(sampleHome());
    const answer = await platbook(home, 'call', 'search_properties', '{"fips":"99001","apn":"12201"}');
    expect(JSON.parse(answer.out)).toMatchObject({ count: 2, results: [{ fips: '99001' }, { fips: '99001' }] });
    expect(answer.err).toBe('10 tokens');
    const wrong = await platbook(home, 'call', 'filter_properties', '{"county":"99001","acers_min":1}', '--json');
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.err)).toMatchObject({
      error: { code: 'validation_error', details: { acers_min: ['unknown field; did you mean acres_min?'] } },
    });
    expect(JSON.parse((await platbook(home, 'call', 'get_usage', '--json')).out)).toMatchObject({ tokens_used: 10 });
  });

  test('prints lists as CSV or by lines, one page or all, with the input from standard input too', async () => {
    const home = copyOfHome(sampleHome());
    const body = '{"county":"99001","acres_min":5,"page_size":3}';
    const { count } = JSON.parse((await platbook(home, 'call', 'filter_properties', body)).out);
    expect(count).toBeGreaterThan(3);
    const page = await platbook(home, 'call', 'filter_properties', body, '--csv');
    const rows = page.out.split('\r\n').filter((row) => row.trim() !== '');
    expect([rows[0]?.split(',')[0], rows.length]).toEqual(['property_id', 4]);
    const all = await platbook(home, 'call', 'filter_properties', body, '--all', '--jsonl');
    const lines = all.out.split('\n').map((line) => JSON.parse(line).property_id);
    expect([lines.length, new Set(lines).size]).toEqual([count, count]);
    const piped = spawnSync(process.execPath, [launcher, '--home', home, 'call', 'filter_properties', '-', '--csv'], {
      input: body,
      encoding: 'utf8',
    });
    expect(piped.stdout.trim().split('\r\n')).toHaveLength(4);
    expect((await platbook(home, 'call', 'list_feeds', '--csv')).err).toContain('list_feeds has no CSV');
    expect((await platbook(home, 'call', 'list_comps', '{}', '--all')).err).toContain('add --csv or --jsonl');
  });

  test('explains a value by its comps, as text and as CSV whose rows recompute to it', async () => {
    const home = copyOfHome(sampleHome());
    const { mean_adjusted_ppa: perAcre } = JSON.parse((await platbook(home, 'value', '6', '--json')).out);
    const [, shown = ''] = /\(\$([\d,]+) an acre\)/.exec((await platbook(home, 'value', '6', '--explain')).out) ?? [];
    // With as many figures as the range leaves, two at least.
    expect(Math.abs(Number(shown.replaceAll(',', '')) / perAcre - 1)).toBeLessThan(0.05);
    const { out, err } = await platbook(home, 'value', '6', '--csv');
    expect(err).toMatch(/^\d+ tokens$/);
    const rows = parse(out, {
      columns: true,
      cast: (text, { column }) => (/date|address|apn|^id$|use/.test(String(column)) ? text : Number(text) || text),
    }) as Record<string, number>[];
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      const factors = Object.entries(row).filter(([name]) => name.startsWith('factor_'));
      expect(factors.length).toBeGreaterThanOrEqual(4);
      const product = factors.reduce((value, [, factor]) => value * factor, row.price_per_acre ?? 0);
      expect(product).toBeCloseTo(row.adjusted_price_per_acre ?? 0, 6);
    }
    const mean = rows.reduce((sum, row) => sum + (row.weight ?? 0) * Math.log(row.adjusted_price_per_acre ?? 1), 0);
    expect(Math.exp(mean)).toBeCloseTo(perAcre, 1);
    expect((await platbook(home, 'value', '6', '--csv', '--json')).code).toBe(exitCodes.usage);
  });

  test('finds a home whole, and exits 1 when something in it does not hold', async () => {
    const home = copyOfHome(sampleHome());
    const fine = await platbook(home, 'check', '--json');
    expect(fine.code).toBe(0);
    expect((JSON.parse(fine.out) as { ok: boolean }[]).every(({ ok }) => ok)).toBe(true);
    const { default: Database } = await import('better-sqlite3');
    const land = new Database(path.join(home, 'land.sqlite'));
    land.exec('DELETE FROM idx_parcels_geom WHERE pkid = 5');
    land.close();
    const broken = await platbookProcess(home, 'check');
    expect(broken.code).toBe(1);
    expect(broken.out).toMatch(/FAIL {2}spatial index agrees: parcel 5: not in the spatial index/);
  });

  test('finds a ledger that does not add up', async () => {
    const home = copyOfHome(sampleHome());
    const { default: Database } = await import('better-sqlite3');
    const account = new Database(path.join(home, 'account.sqlite'));
    const insert = account.prepare(
      "INSERT INTO ledger (ledger_id, call_id, charged_at, period_start, endpoint, mode, tokens, period_total, key_id) VALUES (?, ?, '2026-11-20T00:00:00.000Z', '2026-11-01T00:00:00.000Z', 'public_comps', 'script', 5, ?, NULL)",
    );
    insert.run(1, 'a', 5);
    insert.run(2, 'b', 11);
    account.close();
    const { code, out } = await platbook(home, 'check');
    expect(code).toBe(1);
    expect(out).toContain('FAIL  ledger adds up: ledger row 2: 5 + 5 is not 11');
  });

  test('serves until it is asked to stop, and closes cleanly', async () => {
    const home = copyOfHome(sampleHome());
    const { key } = JSON.parse((await platbook(home, 'keys', 'create', '--name', 'test', '--json')).out) as {
      key: string;
    };
    const { child, output } = await platbookUntil(home, /listening on http/, 'serve', '--port', '0');
    const base = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output())?.[1];
    const response = await fetch(`${base}/api/public/v1/usage/`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
    child.kill('SIGINT');
    expect(await ended(child)).toBe(0);
    expect(fs.readdirSync(home).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
  });

  test('start opens the sample where there are no parcels, says that it is synthetic, and shows a first answer', async () => {
    const home = path.join(emptyHome(), 'home');
    const { child, output } = await platbookUntil(home, /Ready in/, 'start', '--port', '0');
    expect(output()).toContain('synthetic sample county, not real people');
    expect(output()).toContain(`Home: ${home}-sample`);
    expect(output()).toMatch(/Key \(shown only now\): plat_[\w-]{43}\n/);
    expect(output()).toMatch(/curl -s 'http:\/\/127\.0\.0\.1:\d+\/api\/public\/v1\/properties\/filter\//);
    expect(output()).toMatch(/→ 200, 30 tokens\n\{\n {2}"count": \d{2,}/);
    child.kill('SIGINT');
    expect(await ended(child)).toBe(0);
    // The search is paid for once: another start sends nothing.
    const second = await platbookUntil(home, /Ready in/, 'start', '--port', '0');
    expect(second.output()).toContain('Keys: existing ones');
    second.child.kill('SIGINT');
    expect(await ended(second.child)).toBe(0);
    const { out } = await platbook(`${home}-sample`, 'call', 'get_usage', '--json');
    expect(JSON.parse(out)).toMatchObject({ tokens_used: 30 });
  });

  test('keeps the sample and real data in homes of their own', async () => {
    const home = copyOfHome(sampleHome());
    const folder = emptyHome();
    const file = path.join(folder, 'parcels.geojson');
    const square = {
      type: 'Polygon',
      coordinates: [
        [
          [-72.2, 43.35],
          [-72.19, 43.35],
          [-72.19, 43.36],
          [-72.2, 43.35],
        ],
      ],
    };
    fs.writeFileSync(
      file,
      JSON.stringify({
        type: 'FeatureCollection',
        features: [{ type: 'Feature', geometry: square, properties: { apn: '1-1' } }],
      }),
    );
    const mixed = await platbook(home, 'import', 'parcels', file, '--county', '33019', '--json');
    expect(mixed.code).toBe(1);
    expect(JSON.parse(mixed.err)).toMatchObject({ error: { code: 'sample_and_real' } });
    const real = path.join(folder, 'real');
    expect((await platbook(real, 'import', 'parcels', file, '--county', '33019')).code).toBe(0);
    const sample = await platbook(real, 'sample', '--json');
    expect(JSON.parse(sample.err)).toMatchObject({ error: { code: 'sample_and_real' } });
    expect(JSON.parse((await platbook(real, 'datasets', '--json')).out)).toMatchObject([{ fips: '33019', parcels: 1 }]);
  });
});

describe('the examples of the docs', () => {
  const examples = operations.flatMap((operation) =>
    operation.examples.map(({ title, input }) => [operation.name, title, input] as const),
  );

  test.each(examples)('%s: %s', async (name, _title, input) => {
    const { code, out } = await platbook(copyOfHome(sampleHome()), 'call', name, JSON.stringify(input), '--json');
    expect(code).toBe(0);
    const answer = JSON.parse(out) as { count?: number };
    if ('count' in answer) expect(answer.count).toBeGreaterThan(0);
  });
});

test('a name that turns the direction of writing turns no other cell of its line', () => {
  // U+2069 would end the isolation of the cell.
  const [, line = ''] = tableText(['owner', 'apn'], [{ owner: 'A\u2069\u202eB', apn: '7-1' }]).split('\n');
  expect(line).toBe('\u2068A\u202eB\u2069  7-1');
  expect(tableText(['owner'], [{ owner: 'MÜLLER' }])).toBe('owner\nMÜLLER');
});
