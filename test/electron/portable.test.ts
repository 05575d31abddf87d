/**
 * What people without npm download: the zip for Linux and the Debian package are made, unpacked and run; the folders of
 * other systems are built and looked through.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makePortable, type runtimes } from '../../engine/bin/portable.mjs';
import { makeDeb, makeZip } from '../../engine/bin/release.mjs';
import { sbom } from '../../engine/bin/sbom.mjs';
import { productionPackages } from '../../engine/bin/stage-app.mjs';
import { writeTexts } from '../../engine/bin/texts.mjs';
import { openCommand } from '../../engine/cli/app-window.ts';
import { requireOrSkip } from '../support/require.ts';
import { buildApp } from './built-app.ts';

let built: Awaited<ReturnType<typeof buildApp>> | undefined;
let out = '';

beforeAll(async () => {
  built = await buildApp();
  out = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook portable '));
});

afterAll(() => {
  built?.remove();
  fs.rmSync(out, { recursive: true, force: true });
});

const made = new Map<string, ReturnType<typeof makePortable>>();

/** Each platform's folder, made once. */
function make(platform: keyof typeof runtimes): ReturnType<typeof makePortable> {
  const folder = made.get(platform) ?? makePortable({ platform, out, ...(built ? { built: built.built } : {}) });
  made.set(platform, folder);
  return folder;
}

const filesOf = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));

const driversIn = (folder: string): string[] =>
  filesOf(folder)
    .filter((file) => file.endsWith('.node'))
    .sort();

/** That of the database, and the decoders of photos. */
const driversOf = (platform: string) => [
  expect.stringMatching(new RegExp(`^app/node_modules/@img/sharp-${platform}/lib/sharp-${platform}-[\\d.]+\\.node$`)),
  `app/node_modules/better-sqlite3/prebuilds/${platform}.node`,
];

const firstBytes = (file: string, count: number): string => {
  const descriptor = fs.openSync(file, 'r');
  const bytes = Buffer.alloc(count);
  fs.readSync(descriptor, bytes, 0, count, 0);
  fs.closeSync(descriptor);
  return bytes.toString('hex');
};

const time = new Date('2026-11-28T10:00:00Z');
let unpacked = '';

/** The zip for Linux as a person has it after unpacking; made once. */
async function unpackedZip(): Promise<string> {
  if (unpacked) return unpacked;
  const zip = await makeZip({ folder: make('linux-x64').folder, platform: 'linux-x64', out, time });
  console.log(`${path.basename(zip)}: ${(fs.statSync(zip).size / 1e6).toFixed(1)} MB`);
  const to = path.join(out, 'unpacked zip');
  execFileSync('unzip', ['-q', zip, '-d', to]);
  const [name = ''] = fs.readdirSync(to);
  expect(name).toMatch(/^Platbook-\d+\.\d+\.\d+$/);
  unpacked = path.join(to, name);
  return unpacked;
}

/**
 * A machine with only basic tools and a browser opener, which records what it is asked to open.
 * @param opener its exit code; null: there is none
 */
function machineWithoutNode(opener: number | null = 0): { PATH: string; opened: () => string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-bin-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const tool of ['sh', 'dirname'])
    fs.symlinkSync(
      [`/usr/bin/${tool}`, `/bin/${tool}`].find((file) => fs.existsSync(file)) ?? '',
      path.join(folder, tool),
    );
  const note = path.join(folder, 'opened');
  const script = `#!/bin/sh\nprintf %s "$1" > '${note}'\nexit ${opener}\n`;
  if (opener !== null) fs.writeFileSync(path.join(folder, 'xdg-open'), script, { mode: 0o755 });
  return { PATH: folder, opened: () => (fs.existsSync(note) ? fs.readFileSync(note, 'utf8') : '') };
}

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
}

function start(launcher: string, PATH: string, home: string, ...args: string[]): Started {
  const child = spawn(launcher, args, { env: { PATH, HOME: home, XDG_DATA_HOME: home }, cwd: '/' });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  return { child, output: () => text };
}

/** A browser's use of the one-time link, and the page's requests with its cookie. */
async function openLink(link: string) {
  const opened = await fetch(link, { redirect: 'manual' });
  expect(opened.status).toBe(303);
  const base = new URL(link).origin;
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const ask = async (question: string, input: unknown) => {
    const headers = { cookie, origin: base, 'content-type': 'application/json', 'idempotency-key': 'press-1' };
    const answer = await fetch(`${base}/app/${question}`, { method: 'POST', headers, body: JSON.stringify(input) });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { data: unknown; tokens?: number };
  };
  return { base, cookie, ask };
}

const ended = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.on('exit', resolve));

const isLinux = process.platform === 'linux' && process.arch === 'x64';
const canUnzip = isLinux && fs.existsSync('/usr/bin/unzip');

describe('the portable folder', () => {
  test.skipIf(!requireOrSkip('the Linux zip', canUnzip, 'it is run on Linux x64 with unzip'))(
    'is run from a folder with spaces, with no npm and no Node on the path: first start, the sample, a search, a second start, the end',
    async () => {
      const { bytes, runtimeBytes, packages } = make('linux-x64');
      console.log(
        `portable folder: ${(bytes / 1e6).toFixed(0)} MB, of which Node ${(runtimeBytes / 1e6).toFixed(0)} MB; ${packages} packages`,
      );
      const folder = await unpackedZip();
      expect(folder).toContain(' ');
      const home = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook home '));
      onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
      const machine = machineWithoutNode();
      const launcher = path.join(folder, 'platbook.sh');
      const { child, output } = start(launcher, machine.PATH, home);
      await expect.poll(machine.opened, { timeout: 30_000 }).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{40,}$/);

      const first = await openLink(machine.opened());
      const page = await fetch(first.base, { headers: { cookie: first.cookie } });
      expect(await page.text()).toContain('<div id="root">');
      const { link } = (await first.ask('open-sample', {})).data as { link: string };
      const sample = await openLink(link);
      const answer = await sample.ask('call/filter_properties', { county: '99001', acres_min: 40 });
      expect(answer.tokens).toBe(30);
      expect((answer.data as { count: number }).count).toBeGreaterThan(0);

      // A second start opens the first one's app, and ends.
      const firstLink = machine.opened();
      const second = start(launcher, machine.PATH, home);
      expect(await ended(second.child)).toBe(0);
      expect(second.output()).toContain('runs already');
      expect(second.output()).not.toContain('listening');
      expect(machine.opened()).not.toBe(firstLink);
      expect((await openLink(machine.opened())).base).toBe(first.base);

      expect(output()).not.toMatch(/fault|Error/);
      child.kill('SIGTERM');
      expect(await ended(child)).toBe(0);
      expect(fs.readdirSync(path.join(home, 'platbook')).filter((file) => file.endsWith('-wal'))).toEqual([]);
    },
  );

  test.skipIf(!isLinux)('can load every package that the engine names, with the files that were left of it', () => {
    const { folder } = make('linux-x64');
    const app = path.join(folder, 'app');
    const engine = path.join(app, 'dist', 'engine');
    const namedIn = (place: string): string[] =>
      filesOf(place)
        .filter((file) => file.endsWith('.js'))
        .flatMap((file) => [
          ...fs
            .readFileSync(path.join(place, file), 'utf8')
            .matchAll(/(?:from |import\(|import |resolve\()'([^'.][^']*)'/g),
        ])
        .map(([, to]) => to ?? '')
        .filter((to) => !to.startsWith('node:'));
    // Each compression of a raster has a package of its own, which is only imported when a file has it.
    const decoders = namedIn(path.join(app, 'node_modules', 'geotiff'));
    expect(decoders).toContain('pako');
    const packages = [...new Set([...namedIn(engine), ...decoders])].sort();
    expect(packages.length).toBeGreaterThan(15);
    const script = `for (const name of ${JSON.stringify(packages)}) try { await import(name) } catch (error) { console.log(name + ': ' + error.message) }`;
    const answer = spawnSync(path.join(folder, 'runtime', 'node'), ['--input-type=module', '-e', script], {
      cwd: app,
      encoding: 'utf8',
    });
    expect(`${answer.stdout}${answer.stderr}`).toBe('');
  });

  test.skipIf(!canUnzip).each([
    ['fails', 3],
    ['is missing', null],
  ])('prints the address when the opener of browsers %s', async (_what, opener) => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook home '));
    onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
    const launcher = path.join(await unpackedZip(), 'platbook.sh');
    const { child, output } = start(launcher, machineWithoutNode(opener).PATH, home);
    const said = /^Open this address: (\S+)$/m;
    await expect.poll(output, { timeout: 60_000 }).toMatch(said);
    await openLink(said.exec(output())?.[1] ?? '');
    // The window with the text is closed.
    child.kill('SIGHUP');
    expect(await ended(child)).toBe(0);
  });

  test.skipIf(!requireOrSkip('the Debian package', isLinux && fs.existsSync('/usr/bin/dpkg-deb'), 'no dpkg-deb'))(
    'as a Debian package holds the app, its command, menu entry and page, owned by root, and runs',
    () => {
      const deb = makeDeb({ folder: make('linux-x64').folder, out, time });
      const listed = execFileSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8', maxBuffer: 1e8 })
        .trim()
        .split('\n');
      expect(listed.filter((line) => !/^[-dl]rw[x-]r-[x-]r-[x-] root\/root /.test(line))).toEqual([]);
      const tree = path.join(out, 'deb');
      execFileSync('dpkg-deb', ['--extract', deb, tree]);
      for (const file of [
        'usr/share/applications/platbook.desktop',
        'usr/share/icons/hicolor/512x512/apps/platbook.png',
        'usr/share/man/man1/platbook.1.gz',
        'usr/share/metainfo/org.platbook.Platbook.metainfo.xml',
        'usr/share/doc/platbook/copyright',
        'usr/share/doc/platbook/LICENCES.txt.gz',
        'usr/share/doc/platbook/changelog.gz',
        'usr/share/lintian/overrides/platbook',
        'usr/lib/platbook/runtime/LICENSE',
      ])
        expect(fs.statSync(path.join(tree, file)).size).toBeGreaterThan(100);
      expect(
        filesOf(path.join(tree, 'usr/share'))
          .flatMap((file) =>
            /\.gz$/.test(file) ? [] : [fs.readFileSync(path.join(tree, 'usr/share', file), 'latin1')],
          )
          .join(''),
      ).not.toMatch(/@[A-Z]+@/);
      const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { version: string };
      expect(execFileSync('dpkg-deb', ['--field', deb, 'Version'], { encoding: 'utf8' }).trim()).toBe(version);
      const command = fs
        .readFileSync(path.join(tree, 'usr/bin/platbook'), 'utf8')
        .replaceAll('/usr/lib/', `${tree}/usr/lib/`.replaceAll(' ', '\\ '));
      const home = path.join(out, 'home of the deb');
      const run = (...args: string[]) =>
        spawnSync('/bin/sh', ['-c', command.replace(/^#!.*\n/, ''), 'platbook', ...args], {
          encoding: 'utf8',
          env: { PATH: '/nowhere', HOME: home },
        });
      expect(run('--version').stdout.trim()).toBe(version);
      const sample = run('sample');
      expect(sample.stderr).not.toMatch(/fault|Error/);
      expect(sample.status).toBe(0);
    },
  );

  const platforms = ['linux-x64', 'linux-arm64', 'win32-x64', 'darwin-x64', 'darwin-arm64'] as const;
  test.each(platforms)(
    'of each system has licenses, no binary of another, and names that every system takes: %s',
    (platform) => {
      const { folder } = make(platform);
      const files = filesOf(folder);
      for (const file of ['LICENCES.txt', 'runtime/LICENSE', 'app/LICENSE', 'README.txt'])
        expect(files).toContain(file);
      // ELF, PE, Mach-O of either order or both kinds.
      const isBinary = (file: string) =>
        /^(7f454c46|4d5a|cffaedfe|feedfac|cafebabe)/.test(firstBytes(path.join(folder, file), 4));
      const runtime = platform === 'win32-x64' ? 'runtime/node.exe' : 'runtime/node';
      // The decoders of photos, whose library of pictures is a file of its own but on Windows.
      const decoder = new RegExp(`^app/node_modules/@img/sharp-(libvips-)?${platform}/lib/[\\w.-]+$`);
      const binaries = files.filter(isBinary);
      expect(binaries.filter((file) => !decoder.test(file)).sort()).toEqual([
        `app/node_modules/better-sqlite3/prebuilds/${platform}.node`,
        runtime,
      ]);
      expect(binaries.some((file) => decoder.test(file) && /\.node$/.test(file))).toBe(true);
      expect(binaries.some((file) => decoder.test(file) && /libvips/.test(path.basename(file)))).toBe(true);
      expect(files.filter((file) => `Platbook-0.0.0/${file}`.length > 200)).toEqual([]);
      const refused = /[<>:"|?*\\\p{Cc}]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/iu;
      expect(files.filter((file) => file.split('/').some((part) => refused.test(part)))).toEqual([]);
      expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
    },
  );

  test('has a list of contents that names each package inside, and what GDAL was linked from', async () => {
    const { folder } = make('linux-x64');
    const { components } = sbom({ time, ...(built ? { built: built.built } : {}) });
    const named = new Set(components.map(({ purl }) => purl));
    const purl = ({ name, version }: { name: string; version: string }) =>
      `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const inside = filesOf(folder).filter((file) => /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file));
    expect(inside.length).toBeGreaterThan(productionPackages().length / 2);
    const missing = inside
      .map((file) =>
        purl(JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) as { name: string; version: string }),
      )
      .filter((one) => !named.has(one));
    expect(missing).toEqual([]);
    // What vite bundled, and data.
    for (const name of ['react-dom', 'maplibre-gl', '@fontsource-variable/inter', 'us-atlas', 'node'])
      expect(components.map((one) => one.name)).toContain(name);
    const licences = fs.readFileSync(path.join(folder, 'LICENCES.txt'), 'utf8');
    for (const { name, type } of components) if (type === 'library') expect(licences).toContain(`${name} `);
    // Each library inside GDAL's WebAssembly, and the texts that they are under.
    const linked = components.flatMap((one) => one.components ?? []);
    expect(linked.length).toBeGreaterThan(5);
    for (const { name, version } of linked) expect(licences).toContain(`\n${name} ${version} (`);
    for (const words of ['GDAL/OGR Licensing', 'GNU LESSER GENERAL PUBLIC LICENSE', 'Frank Warmerdam', 'Sam Leffler'])
      expect(licences).toContain(words);
    const wasm = fs.readFileSync(
      path.join(folder, 'app/node_modules/gdal3.js/dist/package/gdal3WebAssembly.wasm'),
      'latin1',
    );
    const parts = new Map(
      components.find(({ name }) => name === 'gdal3.js')?.components?.map((one) => [one.name, one.version]),
    );
    for (const [part, before] of [
      ['gdal', '/gdal-'],
      ['geos', 'GEOS_VERSION='],
      ['proj', 'Rel. '],
      ['libtiff', 'LIBTIFF, Version '],
    ] as const)
      expect(wasm).toContain(`${before}${parts.get(part)}`);
    const version = execFileSync(path.join(folder, 'runtime/node'), ['--version'], { encoding: 'utf8' }).trim();
    expect(components.find(({ name }) => name === 'node')?.version).toBe(version.slice(1));
  });

  test('for Windows holds a Windows Node, its own driver alone, and a launcher with its line ends (not run here)', () => {
    const { folder } = make('win32-x64');
    expect(firstBytes(path.join(folder, 'runtime', 'node.exe'), 2)).toBe('4d5a');
    const launcher = fs.readFileSync(path.join(folder, 'platbook.cmd'), 'latin1');
    expect(launcher).toMatch(/^@echo off\r\n/);
    expect(launcher.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(launcher).toContain('"%~dp0runtime\\node.exe" "%~dp0app\\engine\\bin\\platbook.mjs" %start% %*');
    expect(driversIn(folder)).toEqual(driversOf('win32-x64'));
  });

  // MH_MAGIC_64 in little-endian order, then CPU_TYPE_ARM64 or CPU_TYPE_X86_64.
  test.each([
    ['darwin-arm64', 'cffaedfe0c000001'],
    ['darwin-x64', 'cffaedfe07000001'],
  ] as const)(
    'for macOS holds a Mach-O Node, its own driver alone, and a launcher that may be run: %s (not run here)',
    (platform, magic) => {
      const { folder } = make(platform);
      expect(firstBytes(path.join(folder, 'runtime', 'node'), 8)).toBe(magic);
      const inside = 'Platbook.app/Contents/MacOS/Platbook';
      for (const launcher of ['platbook.command', inside])
        expect(fs.readFileSync(path.join(folder, launcher), 'utf8')).toMatch(/^#!\/bin\/sh\n[^\r]+$/);
      for (const file of ['platbook.command', inside, 'runtime/node'])
        expect(fs.statSync(path.join(folder, file)).mode & 0o111).toBe(0o111);
      const properties = fs.readFileSync(path.join(folder, 'Platbook.app/Contents/Info.plist'), 'utf8');
      expect(properties).toContain('<key>CFBundleExecutable</key><string>Platbook</string>');
      expect(firstBytes(path.join(folder, 'Platbook.app/Contents/Resources/icon.icns'), 4)).toBe('69636e73');
      expect(driversIn(folder)).toEqual(driversOf(platform));
    },
  );

  test('holds no tests, source maps, types, shell or development files, and the licenses of what it ships', () => {
    const { folder } = make('linux-x64');
    const files = filesOf(folder);
    expect(files.filter((file) => /\.map$|\.[cm]?ts$|(^|\/)tests?\//.test(file))).toEqual([]);
    expect(files.filter((file) => /^app\/(dist\/electron|renderer|test|\.)/.test(file))).toEqual([]);
    expect(
      files.filter((file) => /node_modules\/(electron|vite|react|typescript|@types|playwright-core)\//.test(file)),
    ).toEqual([]);
    const licences = fs.readFileSync(path.join(folder, 'LICENCES.txt'), 'utf8');
    // Those of packages that Node loads, and of those Vite bundled into the pages.
    for (const name of ['better-sqlite3', 'commander', 'gdal3.js', 'react', 'radix-ui', '@fontsource-variable/inter'])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(files).toContain('runtime/LICENSE');
  });
});

test('texts for other catalogues name the files of the release with their sums, and no account', () => {
  const named = new Set<string>();
  const sum = (file: string) => {
    named.add(file);
    return createHash('sha256').update(file).digest('hex');
  };
  writeTexts({ out, sum, time });
  const folder = path.join(out, 'texts');
  const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { version: string };
  const systems = ['win-x64', 'macos-arm64', 'macos-x64', 'linux-x64', 'linux-arm64'];
  const released = systems.map((one) => `platbook-${version}-${one}.zip`);
  released.push(`platbook-${version}.tgz`, `platbook_${version}_amd64.deb`);
  expect([...named].sort()).toEqual(released.sort());
  const all = filesOf(folder).map((file) => fs.readFileSync(path.join(folder, file), 'utf8'));
  for (const file of released)
    expect(all.some((text) => text.includes(file) && new RegExp(sum(file), 'i').test(text))).toBe(true);
  for (const file of filesOf(folder).filter((one) => one.endsWith('.json')))
    expect(JSON.stringify(JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')))).toContain('latbook');
  // Addresses lead nowhere until the owner has one; the two others name the catalogues' own schemas.
  const hosts = all.flatMap((text) => [...text.matchAll(/https:\/\/([^/"\s]+)/g)].map(([, host]) => host));
  expect(new Set(hosts)).toEqual(new Set(['HOMEPAGE.invalid', 'aka.ms', 'static.modelcontextprotocol.io']));
});

describe('the launcher', () => {
  test('opens it as each system does', () => {
    const link = 'http://127.0.0.1:1/open/x';
    expect(openCommand('linux', link)).toEqual({ command: 'xdg-open', args: [link] });
    expect(openCommand('darwin', link)).toEqual({ command: 'open', args: [link] });
    expect(openCommand('win32', link).args.slice(-2)).toEqual(['""', link]);
  });
});
