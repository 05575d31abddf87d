/**
 * The house rules that a compiler does not know: who may import whom (default deny), which packages come in through
 * which door, and where charging happens.
 */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { pure } from './projects.ts';
import { allowanceOf, measureHouse, readBudget } from './support/budget.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Each part of the house with the parts it may import; its own files are always allowed. */
const mayImport: Record<string, readonly string[]> = {
  'engine/spec': [],
  'engine/package-root.ts': [],
  'engine/node-version.mjs': [],
  'engine/home-folder.ts': [],
  'engine/plain-file.ts': ['engine/spec'],
  'engine/geo': ['engine/spec'],
  'engine/contacts': ['engine/spec'],
  'engine/comps': ['engine/spec', 'engine/geo'],
  // Whose parcels are one owner's: names and mailing addresses, stored in the land file.
  'engine/owners': ['engine/spec', 'engine/contacts', 'engine/geo', 'engine/columns', 'engine/store'],
  // Letters to the owners of a list.
  'engine/mailings': ['engine/spec', 'engine/query', 'engine/store'],
  'engine/store': ['engine/spec', 'engine/geo', 'engine/package-root.ts', 'engine/plain-file.ts'],
  'engine/account': ['engine/spec', 'engine/store'],
  // Originals in the home, beside the rows of account.sqlite that name them.
  'engine/photos': ['engine/spec', 'engine/store', 'engine/plain-file.ts'],
  'engine/aliases.ts': ['engine/spec', 'engine/plain-file.ts'],
  // The only part that opens a connection to another computer. Columns of comps are those of `comps`.
  'engine/postgis': [
    'engine/spec',
    'engine/geo',
    'engine/comps',
    'engine/importing',
    'engine/store',
    'engine/columns',
    'engine/query',
    'engine/land',
    'engine/owners',
  ],
  'engine/query': ['engine/spec', 'engine/geo', 'engine/columns', 'engine/comps', 'engine/contacts', 'engine/store'],
  // The rooms of importing, lowest first. Other parts may import any of them by the name of the whole.
  // Columns of parcels, comps and contacts are what values are converted for, hence `comps` and `contacts`.
  'engine/importing/values': ['engine/spec', 'engine/comps', 'engine/contacts'],
  'engine/importing/formats': [
    'engine/spec',
    'engine/geo',
    'engine/store',
    'engine/package-root.ts',
    'engine/plain-file.ts',
    'engine/importing/values',
  ],
  'engine/importing/mapping': [
    'engine/spec',
    'engine/package-root.ts',
    'engine/plain-file.ts',
    'engine/importing/values',
  ],
  'engine/importing/guess': [
    'engine/spec',
    'engine/geo',
    'engine/package-root.ts',
    'engine/importing/values',
    'engine/importing/formats',
    'engine/importing/mapping',
  ],
  'engine/importing/stage': [
    'engine/spec',
    'engine/geo',
    'engine/contacts',
    'engine/store',
    'engine/importing/values',
    'engine/importing/formats',
    'engine/importing/mapping',
  ],
  // Walks of other apps: what they hold, no parcels.
  'engine/importing/walks': ['engine/spec', 'engine/plain-file.ts', 'engine/importing/formats'],
  // Comps name their options, progress and problems as parcels do, hence `stage`.
  'engine/importing/lists': [
    'engine/spec',
    'engine/geo',
    'engine/comps',
    'engine/contacts',
    'engine/store',
    'engine/importing/values',
    'engine/importing/formats',
    'engine/importing/mapping',
    'engine/importing/guess',
    'engine/importing/stage',
  ],
  'engine/importing/merge': [
    'engine/spec',
    'engine/geo',
    'engine/columns',
    'engine/comps',
    'engine/store',
    'engine/importing/values',
    'engine/importing/formats',
    'engine/importing/mapping',
    'engine/importing/stage',
  ],
  // What a file holds (look) and where public data is (sources).
  'engine/importing': [
    'engine/spec',
    'engine/geo',
    'engine/query',
    'engine/store',
    'engine/package-root.ts',
    'engine/importing/values',
    'engine/importing/formats',
    'engine/importing/stage',
    'engine/importing/merge',
  ],
  // Heights of the ground for the map: numbers and terrain.sqlite.
  'engine/terrain': ['engine/spec', 'engine/geo', 'engine/package-root.ts', 'engine/store'],
  // Photos of the air. The grid of a raster and its place are those of elevation.
  'engine/imagery': [
    'engine/spec',
    'engine/geo',
    'engine/store',
    'engine/plain-file.ts',
    'engine/importing',
    'engine/enrichment',
    // The segments of a JPEG.
    'engine/photos',
  ],
  'engine/enrichment': [
    'engine/terrain',
    'engine/spec',
    'engine/geo',
    'engine/columns',
    'engine/store',
    'engine/importing',
    'engine/package-root.ts',
  ],
  'engine/columns': ['engine/spec', 'engine/geo', 'engine/package-root.ts', 'engine/store'],
  // What operations ask of the land, answered by the home's own file.
  'engine/land': ['engine/spec', 'engine/comps', 'engine/owners', 'engine/query', 'engine/store'],
  'engine/operations': [
    'engine/spec',
    'engine/land',
    'engine/geo',
    'engine/comps',
    'engine/contacts',
    'engine/store',
    'engine/account',
    'engine/query',
    // The columns of a feed.
    'engine/exporting',
    'engine/owners',
  ],
  'engine/caller.ts': ['engine/account', 'engine/operations'],
  'engine/engine-options.ts': ['engine/jobs', 'engine/land', 'engine/spec'],
  'engine/engine.ts': [
    'engine/engine-options.ts',
    'engine/caller.ts',
    'engine/sql',
    'engine/spec',
    'engine/backup',
    'engine/people',
    'engine/columns',
    'engine/store',
    'engine/account',
    'engine/jobs',
    'engine/land',
    'engine/operations',
    'engine/tiles',
    'engine/aliases.ts',
    'engine/node-version.mjs',
    'engine/book',
    'engine/print-book.ts',
    'engine/sheet',
    'engine/value-explained.ts',
  ],
  'engine/open-home.ts': [
    'engine/engine.ts',
    'engine/backup',
    'engine/exporting',
    'engine/photos',
    'engine/sample-county.ts',
  ],
  'engine/check.ts': [
    'engine/spec',
    'engine/engine.ts',
    'engine/photos',
    'engine/account',
    'engine/backup',
    'engine/columns',
    'engine/jobs',
    'engine/query',
    'engine/store',
    'engine/terrain',
  ],
  'engine/sample-county.ts': [
    'engine/backup',
    'engine/engine.ts',
    'engine/importing',
    'engine/package-root.ts',
    'engine/plain-file.ts',
    'engine/store',
    'engine/terrain',
  ],
  'engine/value-explained.ts': ['engine/store', 'engine/comps', 'engine/query', 'engine/spec'],
  'engine/tiles': [
    'engine/imagery',
    // The size of a picture tile stands in its header.
    'engine/photos',
    'engine/terrain',
    'engine/spec',
    'engine/plain-file.ts',
    'engine/geo',
    'engine/comps',
    'engine/columns',
    'engine/query',
    'engine/store',
    'engine/package-root.ts',
  ],
  'engine/mcp': ['engine/engine.ts', 'engine/operations', 'engine/spec', 'engine/package-root.ts'],
  'engine/exporting': [
    'engine/spec',
    'engine/geo',
    'engine/contacts',
    // Parts of a JPEG.
    'engine/photos',
    'engine/query',
    'engine/store',
    'engine/package-root.ts',
  ],
  // Maps on paper: the ground as the map's tiles have it, drawn with the PDF parts of exporting.
  'engine/sheet': [
    'engine/spec',
    'engine/exporting',
    'engine/geo',
    // Headers of JPEG, which a page takes as they are.
    'engine/photos',
    'engine/query',
    'engine/store',
    'engine/terrain',
    'engine/tiles',
  ],
  // One HTML file to send: the ground of the map sheet, facts, photos made small.
  'engine/share-page': [
    'engine/engine.ts',
    'engine/exporting',
    'engine/geo',
    'engine/owners',
    'engine/photos',
    'engine/query',
    'engine/sheet',
    'engine/spec',
    'engine/store',
    'engine/tiles',
    'engine/work',
  ],
  // The printed plat book: holdings, labels, pages, drawn with the parts of the map sheet.
  'engine/book': [
    'engine/spec',
    'engine/exporting',
    'engine/geo',
    'engine/owners',
    'engine/query',
    'engine/contacts',
    'engine/sheet',
    'engine/store',
    'engine/tiles',
  ],
  'engine/feeds': [
    'engine/account',
    'engine/engine.ts',
    'engine/exporting',
    // Its notices, of APNs that are alike.
    'engine/land',
    'engine/operations',
    'engine/query',
    'engine/spec',
    'engine/store',
  ],
  'engine/backup': [
    'engine/contacts',
    'engine/photos',
    'engine/people',
    'engine/spec',
    'engine/exporting',
    'engine/store',
    'engine/package-root.ts',
    'engine/plain-file.ts',
  ],
  // Kysely's tables have the rows of comps.
  'engine/sql': ['engine/package-root.ts', 'engine/comps', 'engine/spec', 'engine/store'],
  'engine/people': ['engine/spec', 'engine/contacts', 'engine/query', 'engine/store'],
  'engine/jobs': [
    'engine/book',
    'engine/imagery',
    // Files of tiles that the user names are opened as base maps.
    'engine/tiles',
    // Visit reports: pages of the sheet, with the originals of photos.
    'engine/sheet',
    'engine/photos',
    // Removes what a killed worker left beside its file.
    'engine/exporting',
    'engine/backup',
    'engine/people',
    'engine/columns',
    'engine/spec',
    'engine/store',
    'engine/importing',
    'engine/enrichment',
    'engine/query',
    'engine/package-root.ts',
    'engine/owners',
  ],
  'engine/work': [
    'engine/imagery',
    'engine/mailings',
    'engine/book',
    'engine/sheet',
    'engine/spec',
    'engine/geo',
    'engine/photos',
    'engine/plain-file.ts',
    'engine/account',
    'engine/engine.ts',
    'engine/exporting',
    'engine/feeds',
    'engine/importing',
    'engine/enrichment',
    'engine/jobs',
    'engine/operations',
    'engine/query',
    'engine/store',
    'engine/backup',
    'engine/value-explained.ts',
  ],
  'engine/reads': [
    'engine/share-page',
    'engine/mailings',
    'engine/book',
    'engine/sheet',
    'engine/engine.ts',
    'engine/geo',
    'engine/spec',
    'engine/account',
    'engine/backup',
    'engine/comps',
    'engine/contacts',
    'engine/enrichment',
    'engine/exporting',
    'engine/feeds',
    'engine/home-folder.ts',
    'engine/importing',
    'engine/jobs',
    'engine/land',
    'engine/owners',
    'engine/query',
    'engine/operations',
    'engine/store',
    'engine/tiles',
    'engine/work',
    'engine/package-root.ts',
  ],
  'engine/rpc': ['engine/engine.ts', 'engine/photos', 'engine/reads', 'engine/spec', 'engine/tiles', 'engine/work'],
  'engine/print-book.ts': ['engine/book', 'engine/jobs'],
  'engine/index.ts': [
    'engine/share-page',
    'engine/print-book.ts',
    'engine/book',
    'engine/sheet',
    'engine/backup',
    'engine/people',
    'engine/engine.ts',
    'engine/value-explained.ts',
    'engine/comps',
    'engine/account',
    'engine/jobs',
    'engine/operations',
    'engine/query',
    'engine/spec',
    'engine/sql',
  ],
  'engine/http': [
    'engine/engine.ts',
    // The page `/docs`.
    'engine/docs',
    'engine/photos',
    'engine/exporting',
    'engine/feeds',
    'engine/mcp',
    'engine/query',
    'engine/tiles',
    'engine/work',
    'engine/operations',
    'engine/reads',
    'engine/account',
    'engine/spec',
    'engine/package-root.ts',
  ],
  'engine/docs': [
    'engine/importing',
    'engine/operations',
    'engine/query',
    'engine/spec',
    'engine/http',
    'engine/package-root.ts',
  ],
  'engine/cli': [
    'engine/imagery',
    'engine/mailings',
    'engine/book',
    // `platbook python-client` prints a page made from the operations.
    'engine/docs',
    'engine/sheet',
    'engine/sql',
    'engine/people',
    'engine/engine.ts',
    'engine/value-explained.ts',
    'engine/comps',
    'engine/account',
    'engine/backup',
    'engine/check.ts',
    'engine/enrichment',
    'engine/exporting',
    'engine/jobs',
    'engine/work',
    'engine/home-folder.ts',
    'engine/http',
    'engine/importing',
    'engine/land',
    'engine/mcp',
    'engine/open-home.ts',
    'engine/operations',
    'engine/package-root.ts',
    'engine/postgis',
    'engine/query',
    'engine/reads',
    'engine/share-page',
    'engine/sample-county.ts',
    'engine/spec',
  ],
  'engine/cli.ts': ['engine/cli', 'engine/package-root.ts', 'engine/spec'],
  // `dev.mjs` serves the pages by the shipped content-security policy, and what vite needs besides; `release.mjs` writes zips.
  'engine/bin': ['engine/node-version.mjs', 'engine/cli.ts', 'engine/exporting', 'engine/http'],
  electron: [
    'engine/backup',
    'engine/bin',
    'engine/engine.ts',
    'engine/exporting',
    'engine/home-folder.ts',
    'engine/http',
    'engine/jobs',
    'engine/open-home.ts',
    'engine/package-root.ts',
    'engine/rpc',
    'engine/sample-county.ts',
    'engine/spec',
    'engine/tiles',
    'engine/work',
  ],
};

/** Packages that only some parts may import; every other package is refused by default. */
const packageDoors: Record<string, readonly string[]> = {
  assemblyscript: ['engine/bin/build-kernels.mjs'],
  'better-sqlite3': ['engine/store/sqlite.ts', 'engine/store/foreign-sqlite.ts', 'engine/store/read-only-file.ts'],
  commander: ['engine/cli', 'engine/cli.ts'],
  'csv-parse': ['engine/importing'],
  'csv-stringify': ['engine/http'],
  pg: ['engine/postgis'],
  'pg-copy-streams': ['engine/postgis'],
  pmtiles: ['engine/tiles'],
  '@modelcontextprotocol/server': ['engine/mcp', 'engine/cli'],
  electron: ['electron'],
  'fastest-levenshtein': ['engine/spec'],
  flatbush: ['engine/geo'],
  'geographiclib-geodesic': ['engine/geo'],
  geomagnetism: ['engine/geo'],
  hyparquet: ['engine/importing', 'engine/exporting'],
  'hyparquet-writer': ['engine/exporting'],
  kysely: ['engine/sql', 'engine/query', 'engine/operations', 'engine/postgis'],
  'robust-predicates': ['engine/geo'],
  typebox: [
    // A schema checks the options of openEngine, as it does the fields of an input.
    'engine/engine-options.ts',
    // And the `fields` of a tool whose operation has none.
    'engine/mcp',
    // Options of a command come from the schema of its input.
    'engine/cli',
    'engine/sheet',
    'engine/share-page',
    'engine/book',
    'engine/backup',

    'engine/spec',
    'engine/operations',
    'engine/reads',
    'engine/work',
    'engine/jobs',
    'electron',
    'engine/importing',
    'engine/enrichment',
    'engine/docs',
    'engine/http',
  ],
  proj4: ['engine/importing'],
  'gdal3.js': ['engine/importing'],
  vite: ['electron/build.mjs', 'engine/bin/dev.mjs'],
  yauzl: ['engine/importing', 'engine/backup'],
  geotiff: ['engine/enrichment', 'engine/importing/formats'],
  sharp: ['engine/imagery', 'engine/photos'],
  rbush: ['engine/enrichment', 'engine/geo'],
  'libphonenumber-js': ['engine/contacts'],
  uuid: ['engine/comps'],
};

/**
 * Files below a package's public entry, which may change with any version. hyparquet reads values by promises only, and an
 * import's snapshot may not wait for one: page headers, pages and their types are decoded by its synchronous parts.
 */
const privateParts: readonly string[] = [
  'hyparquet/src/column.js',
  'hyparquet/src/convert.js',
  'hyparquet/src/thrift.js',
];

interface Import {
  readonly from: string;
  readonly to: string;
}

const sources = ['engine', 'data', 'electron'].flatMap((folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs)$/.test(file) && !file.endsWith('.d.mts'))
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/'))),
);

function importsOf(file: string, { isTypesToo = true } = {}): Import[] {
  const whole = fs.readFileSync(path.join(root, file), 'utf8');
  const text = isTypesToo ? whole : whole.replaceAll(/(?:^|\n)(?:import|export) type [^;]*;/g, '');
  const found = [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*['"]([^'"]+)['"]|(?:^|\n)import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
    ),
  ];
  return found.map((match) => ({ from: file, to: match[1] ?? match[2] ?? match[3] ?? '' }));
}

const imports = sources.flatMap((file) => importsOf(file));

/** The part that holds a file: the longest name of the table that begins its path. */
const partOf = (file: string): string | undefined =>
  Object.keys(mayImport)
    .filter((part) => file === part || file.startsWith(`${part}/`))
    .sort((a, b) => b.length - a.length)[0];

const importingRoom = /^engine\/importing(\/|$)/;

/** Whether the table lets a file of this part import a file of that one. */
function isAllowed(part: string, target: string): boolean {
  const allowed = mayImport[part] ?? [];
  if (part === target || allowed.includes(target)) return true;
  return !importingRoom.test(part) && importingRoom.test(target) && allowed.includes('engine/importing');
}

const isLocal = ({ to }: Import) => to.startsWith('.');

describe('the house', () => {
  test('there is something to look at', () => {
    expect(sources.length).toBeGreaterThan(40);
    expect(imports.length).toBeGreaterThan(100);
  });

  test('every file belongs to a part of the house', () => {
    expect(sources.filter((file) => partOf(file) === undefined)).toEqual([]);
  });

  test('every import goes where the table allows it', () => {
    const refused = imports.filter(isLocal).filter(({ from, to }) => {
      const target = partOf(path.posix.join(path.posix.dirname(from), to));
      return target === undefined || !isAllowed(partOf(from) ?? '', target);
    });
    expect(refused).toEqual([]);
  });

  test('no folder of importing holds more than 40 files', () => {
    const counts = Map.groupBy(
      sources.filter((file) => file.startsWith('engine/importing/')),
      (file) => path.posix.dirname(file),
    );
    expect(counts.size).toBeGreaterThan(8);
    expect([...counts].filter(([, files]) => files.length > 40).map(([folder]) => folder)).toEqual([]);
  });

  // A short command is mostly the loading of code, which the server has much of.
  test('of the commands only serve and start load the HTTP server', () => {
    const loads = (file: string, seen = new Set<string>()): Set<string> => {
      for (const one of importsOf(file, { isTypesToo: false })) {
        const next = isLocal(one) ? path.posix.join(path.posix.dirname(file), one.to) : '';
        if (!next.endsWith('.ts') || seen.has(next)) continue;
        seen.add(next);
        loads(next, seen);
      }
      return seen;
    };
    const commands = sources.filter((file) => /^engine\/cli\/[\w-]+-commands?\.ts$/.test(file));
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter((file) => loads(file).has('engine/http/server.ts'))).toEqual([
      'engine/cli/service-commands.ts',
    ]);
  });

  test('every package comes in through its door', () => {
    const refused = imports
      .filter((one) => !isLocal(one) && !one.to.startsWith('node:'))
      .filter(({ from, to }) => {
        const name = to.startsWith('@') ? to.split('/').slice(0, 2).join('/') : (to.split('/')[0] ?? '');
        return !packageDoors[name]?.some((door) => from === door || from.startsWith(`${door}/`));
      });
    expect(refused).toEqual([]);
  });

  test('packages are used by their public entry', () => {
    const isPrivate = ({ to }: Import) => /^(?:@[^/]+\/)?[^./@][^/]*\/(?:src|lib|dist|build)\//.test(to);
    expect([...new Set(imports.filter(isPrivate).map(({ to }) => to))].sort()).toEqual(privateParts);
  });

  test('only push, pull and --land reach a server', () => {
    const allowed = /^engine\/cli\/(land-option|land-server|(push|pull)-command)\.ts$/;
    const isPostgis = (file: string) => file.startsWith('engine/postgis/');
    const reaching = imports
      .filter(isLocal)
      .filter(({ from, to }) => !isPostgis(from) && isPostgis(path.posix.join(path.posix.dirname(from), to)));
    expect(reaching.length).toBeGreaterThan(2);
    expect(reaching.filter(({ from }) => !allowed.test(from))).toEqual([]);
  });

  test('only push, pull and --land reach the part that opens connections to another computer', () => {
    const reaching = imports.filter(
      ({ from, to }) =>
        isLocal({ from, to }) &&
        !from.startsWith('engine/postgis/') &&
        path.posix.join(path.posix.dirname(from), to).startsWith('engine/postgis/'),
    );
    expect([...new Set(reaching.map(({ from }) => from))].sort()).toEqual([
      'engine/cli/land-option.ts',
      'engine/cli/land-server.ts',
      'engine/cli/pull-command.ts',
      'engine/cli/push-command.ts',
    ]);
  });

  test('what can speak to a network is where it listens, asks itself, or hears a receiver on this computer', () => {
    const speaking = sources.filter((file) => {
      const text = fs.readFileSync(path.join(root, file), 'utf8').replaceAll(/import type [^;]*;/g, '');
      const modules = /(?:from|import\()\s*'node:(?:net|tls|http|https|http2|dns|dgram)'/;
      return modules.test(text) || /\bfetch\(/.test(text);
    });
    expect(speaking.sort()).toEqual([
      // Positions from a receiver's program on this computer.
      'electron/gps/sources.ts',
      // The listener on 127.0.0.1; `reads/test-listener.ts` asks whether it answers.
      'engine/cli/service-commands.ts',
      // A second start tries whether the first one listens.
      // The pages' own script, and examples for programs of the user's.
      'engine/docs/call-examples.ts',
      'engine/docs/docs-script.ts',
      'engine/http/app-sessions.ts',
      'engine/http/server.ts',
      // Tells loopback from other addresses.
      'engine/postgis/server-address.ts',
      'engine/reads/test-listener.ts',
    ]);
  });

  test('the vocabulary is pure: no Node, no clock, no chance', () => {
    const spec = sources.filter((file) => file.startsWith('engine/spec/'));
    const impure = spec.filter((file) =>
      /['"]node:|\bprocess\.|Date\.now|new Date\(\)|Math\.random/.test(fs.readFileSync(path.join(root, file), 'utf8')),
    );
    expect(impure).toEqual([]);
  });

  test('no clock, chance or environment inside the engine but at its outer doors', () => {
    const doors = [
      'engine/engine.ts',
      'engine/cli',
      'engine/bin',
      'engine/http',
      'engine/jobs/fork-worker.ts',
      // Examples for programs of the user's.
      'engine/docs/call-examples.ts',
      'electron/main.ts',
      'electron/engine-host.ts',
    ];
    const inner = sources.filter((file) => !doors.some((door) => file === door || file.startsWith(`${door}/`)));
    const impure = inner.filter((file) =>
      /Date\.now\(|new Date\(\)|Math\.random|process\.env/.test(fs.readFileSync(path.join(root, file), 'utf8')),
    );
    expect(impure).toEqual([]);
  });

  test('the tests of the project `unit` reach no database, process, thread, socket or browser', () => {
    const doors = /^(better-sqlite3|playwright-core|node:(child_process|worker_threads|net|http))$/;
    const reached = new Set(fs.globSync([...pure], { cwd: root }).map((file) => file.replaceAll(path.sep, '/')));
    const refused: Import[] = [];
    for (const file of reached)
      for (const { from, to } of importsOf(file, { isTypesToo: false })) {
        if (doors.test(to)) refused.push({ from, to });
        const local = path.posix.join(path.posix.dirname(file), to);
        if (to.startsWith('.') && /\.tsx?$/.test(to)) reached.add(local);
      }
    expect(refused).toEqual([]);
    expect(reached.size).toBeGreaterThan(60);
  });

  test('charging has one caller', () => {
    const callers = sources.filter((file) =>
      /#meter\.charge\(|meter\.charge\(/.test(fs.readFileSync(path.join(root, file), 'utf8')),
    );
    expect(callers).toEqual(['engine/engine.ts']);
  });

  test('a class of the window has its rules in one sheet: two screens that name it alike would change each other', () => {
    const folder = path.join(root, 'renderer', 'styles');
    const sheetsOf = new Map<string, Set<string>>();
    for (const sheet of fs.readdirSync(folder)) {
      const text = fs.readFileSync(path.join(folder, sheet), 'utf8').replace(/\/\*.*?\*\//gs, '');
      for (const [, selectors = ''] of text.matchAll(/(?:^|[{}])([^{}@]+)(?=\{)/g)) {
        // What stands in brackets, as in :is(.a, .b), is part of one selector.
        for (const selector of selectors
          .replace(/\([^()]*\)/g, '()')
          .split(',')
          .map((one) => one.trim())) {
          if (/^\.[\w-]+$/.test(selector)) sheetsOf.set(selector, (sheetsOf.get(selector) ?? new Set()).add(sheet));
        }
      }
    }
    expect(sheetsOf.size).toBeGreaterThan(100);
    expect([...sheetsOf].filter(([, sheets]) => sheets.size > 1).map(([selector]) => selector)).toEqual([]);
  });

  test('no source file has grown beyond 400 lines, unless it is a table', () => {
    const tables = [
      'engine/jobs/task-kinds.ts',
      'engine/spec/parcel-columns.ts',
      'engine/spec/filters.ts',
      'engine/spec/wire-types.ts',
    ];
    const long = sources.filter(
      (file) => !tables.includes(file) && fs.readFileSync(path.join(root, file), 'utf8').split('\n').length > 400,
    );
    expect(long).toEqual([]);
  });

  test('the lock file keeps better-sqlite3 from being compiled on the user’s machine', () => {
    const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { gypfile?: boolean }>;
    };
    expect(lock.packages['node_modules/better-sqlite3']?.gypfile).toBe(false);
  });

  test('every dependency has an exact version and its reason in engine/README.md', () => {
    const named = (manifest: string): [string, string][] => {
      const { dependencies, devDependencies } = JSON.parse(
        fs.readFileSync(path.join(root, manifest), 'utf8'),
      ) as Record<string, Record<string, string>>;
      return Object.entries({ ...dependencies, ...devDependencies });
    };
    const readme = fs.readFileSync(path.join(root, 'engine/README.md'), 'utf8');
    const own = named('package.json');
    const folders = own.flatMap(([, version]) => (version.startsWith('file:') ? [version.slice('file:'.length)] : []));
    expect(folders).toEqual(['test/typed-client']);
    const all = [...own, ...folders.flatMap((folder) => named(`${folder}/package.json`))];
    expect(all.filter(([, version]) => !version.startsWith('file:') && !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(all.filter(([name]) => !readme.includes(`\`${name}\``)).map(([name]) => name)).toEqual([]);
  });
});

describe('the budget (test/budget.json; `npm run fix` lowers it, a raise there names its reason)', () => {
  const budget = readBudget();
  const now = measureHouse();

  test('no room holds more lines or files than its budget', () => {
    const beyond = Object.entries(now.rooms).flatMap(([room, { lines, files }]) => {
      const allowed = allowanceOf(budget, room);
      return lines > allowed.lines || files > allowed.files ? [{ room, lines, files, allowed }] : [];
    });
    expect(beyond).toEqual([]);
  });

  test('a raise names its room, what it is for, and what it takes out', () => {
    expect(budget.raised.filter(({ room, why }) => now.rooms[room] === undefined || why.length < 20)).toEqual([]);
  });

  test('a new small file that only its neighbour imports belongs into that neighbour', () => {
    expect(now.small.filter((file) => !budget.small.includes(file))).toEqual([]);
  });

  test('a new file has a name that the field knows', () => {
    expect(now.privateNames.filter((file) => !budget.privateNames.includes(file))).toEqual([]);
  });

  test('a new kind has its page in docs/adr, and the window no more stores', () => {
    const pages = fs.readdirSync(path.join(root, 'docs/adr')).map((name) => name.slice(0, 4));
    expect(now.kinds.filter((name) => !pages.includes(budget.kinds[name] ?? ''))).toEqual([]);
    expect(now.stores).toBeLessThanOrEqual(budget.stores);
  });
});
