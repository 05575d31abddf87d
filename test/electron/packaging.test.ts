/** The package as electron-builder makes it, around a placeholder of Electron's binary; inspects its contents. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageApp, platformOf } from '../../electron/package.mjs';
import { bytesOf } from '../../engine/bin/stage-app.mjs';
import { buildApp, root } from './built-app.ts';

interface Fuses {
  readonly FuseV1Options: Readonly<Record<string, string | number>>;
  getCurrentFuseWire(binary: string): Promise<Readonly<Record<string, number>>>;
}
interface Asar {
  listPackage(archive: string, options: { isPack: boolean }): string[];
  extractFile(archive: string, file: string): Buffer;
}
// They come with electron-builder, which uses them itself.
const fromBuilder = createRequire(createRequire(import.meta.url).resolve('app-builder-lib/package.json'));
const { FuseV1Options, getCurrentFuseWire } = fromBuilder('@electron/fuses') as Fuses;
const asar = (await import(fromBuilder.resolve('@electron/asar'))) as Asar;

let folder = '';
let packed = '';
let built: Awaited<ReturnType<typeof buildApp>> | undefined;

/**
 * Holds what electron-builder looks for: the file that it renames, with the sentinel, the version and as many fuses as
 * Electron has, all as Electron ships them.
 */
function placeholderElectron(name: string, program: Buffer): string {
  const dist = path.join(folder, `dist of ${name}`);
  fs.mkdirSync(path.join(dist, 'locales'), { recursive: true });
  fs.mkdirSync(path.join(dist, 'resources'));
  const shipped = '10110101'.split('').map((state) => state.charCodeAt(0));
  const wire = Buffer.concat([
    program,
    Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX', 'latin1'),
    Buffer.from([1, shipped.length, ...shipped]),
  ]);
  fs.writeFileSync(path.join(dist, name), wire, { mode: 0o755 });
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version'])
    fs.writeFileSync(path.join(dist, name), 'placeholder');
  for (const name of ['en-US.pak', 'de.pak']) fs.writeFileSync(path.join(dist, 'locales', name), 'placeholder');
  return dist;
}

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-package-'));
  built = await buildApp({ withShell: true });
  packageApp({
    stage: path.join(folder, 'stage'),
    output: path.join(folder, 'release'),
    args: ['--linux', 'dir', '--x64'],
    built: built.built,
    electronDist: placeholderElectron('electron', Buffer.from('#!/bin/sh\necho "this is no Electron"\nexit 1\n')),
  });
  packed = path.join(folder, 'release', 'linux-unpacked');
}, 300_000);

afterAll(() => {
  built?.remove();
  fs.rmSync(folder, { recursive: true, force: true });
});

const archive = (): string => path.join(packed, 'resources', 'app.asar');
const listed = (): string[] => asar.listPackage(archive(), { isPack: false }).map((file) => file.replaceAll('\\', '/'));

describe('the package', () => {
  test('holds the app and nothing that it does not need', () => {
    const files = listed();
    console.log(
      `app.asar: ${files.length} entries, ${(fs.statSync(archive()).size / 1e6).toFixed(1)} MB, beside it ${(bytesOf(`${archive()}.unpacked`) / 1e6).toFixed(1)} MB unpacked`,
    );
    // GDAL for File Geodatabases is 39.8 MB, the packed sample 6.5 with its photo: more means that something came in a second form.
    expect(fs.statSync(archive()).size).toBeLessThan(68.5e6);
    for (const needed of [
      '/dist/electron/main.js',
      '/dist/electron/preload.cjs',
      '/dist/electron/engine-host.js',
      '/dist/engine/jobs/worker-child.js',
      '/dist/renderer/index.html',
      '/dist/engine/columns/kernels.wasm',
      '/data/counties.csv',
      '/node_modules/commander/package.json',
    ])
      expect(files).toContain(needed);
    expect(files.filter((file) => /\.map$|\.[cm]?ts$/.test(file))).toEqual([]);
    expect(files.filter((file) => /\/(tests?|__tests__)(\/|$)/.test(file))).toEqual([]);
    expect(
      files.filter((file) => /^\/(renderer|electron|engine\/(?!bin|node-version|API)|test|release|\.)/.test(file)),
    ).toEqual([]);
    expect(
      files.filter((file) =>
        /^\/node_modules\/(electron|vite|react|typescript|@types|maplibre-gl|playwright-core)(\/|$)/.test(file),
      ),
    ).toEqual([]);
  });

  test('holds the driver of its own platform alone, outside the archive', () => {
    const drivers = listed().filter((file) => file.endsWith('.node'));
    expect(drivers.sort()).toEqual([
      expect.stringMatching(/^\/node_modules\/@img\/sharp-linux-x64\/lib\/sharp-linux-x64-[\d.]+\.node$/),
      '/node_modules/better-sqlite3/prebuilds/linux-x64.node',
    ]);
    const unpacked = fs
      .readdirSync(`${archive()}.unpacked`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    expect(unpacked.filter((name) => /\.node$|\.so\b/.test(name)).sort()).toEqual([
      expect.stringMatching(/^libvips-cpp\.so\.[\d.]+$/),
      'linux-x64.node',
      expect.stringMatching(/^sharp-linux-x64-[\d.]+\.node$/),
    ]);
  });

  test('every file that a module of the app names is in the archive', () => {
    const files = new Set(listed());
    const missing = [...files]
      .filter((file) => /^\/dist\/(engine|electron|data)\/.*\.js$/.test(file))
      .flatMap((file) => {
        const text = asar.extractFile(archive(), file.slice(1)).toString('utf8');
        const named = [...text.matchAll(/(?:from|import)\s*\(?['"](\.{1,2}\/[^'"]+)['"]/g)];
        return named
          .map(([, to]) => path.posix.join(path.posix.dirname(file), to ?? ''))
          .filter((to) => !files.has(to));
      });
    expect(missing).toEqual([]);
  });

  test('begins with main, says its version, and carries the licences', () => {
    const manifest = JSON.parse(asar.extractFile(archive(), 'package.json').toString('utf8')) as Record<
      string,
      unknown
    >;
    expect(manifest).toMatchObject({ name: 'platbook', main: 'dist/electron/main.js', type: 'module' });
    // Without an author and a page no deb is made, and without this name a desktop does not know whose a window is.
    expect(manifest).toMatchObject({
      author: expect.stringMatching(/<.+@.+>/),
      homepage: expect.stringMatching(/^https:/),
      desktopName: 'platbook.desktop',
    });
    expect(Object.keys(manifest.dependencies as object).filter((name) => name.startsWith('@types/'))).toEqual([]);
    expect(manifest.devDependencies).toBeUndefined();
    expect(fs.readFileSync(path.join(packed, 'LICENCES.txt'), 'utf8')).toMatch(/^better-sqlite3 \d/m);
    expect(fs.readdirSync(path.join(packed, 'locales'))).toEqual(['en-US.pak']);
  });

  test('has its fuses set, as read back from the binary', async () => {
    const wire = await getCurrentFuseWire(path.join(packed, 'platbook'));
    const states = Object.entries(FuseV1Options)
      .filter(([name]) => Number.isNaN(Number(name)))
      .map(([name, index]) => [name, wire[index] === '1'.charCodeAt(0)]);
    expect(Object.fromEntries(states)).toEqual({
      RunAsNode: false,
      EnableCookieEncryption: true,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      LoadBrowserProcessSpecificV8Snapshot: false,
      GrantFileProtocolExtraPrivileges: false,
    });
  });
});

describe('the package for Windows (made here, not run)', () => {
  test('holds its own driver alone, its icon, its name, and the digest of the archive', () => {
    // Any small Windows program will do: the test checks what is written into it.
    const program = path.join(root, 'node_modules', 'electron-winstaller', 'vendor', '7z-x64.exe');
    packageApp({
      stage: path.join(folder, 'stage for Windows'),
      output: path.join(folder, 'release'),
      args: ['--win', 'dir', '--x64'],
      built: built?.built ?? '',
      electronDist: placeholderElectron('electron.exe', fs.readFileSync(program)),
    });
    const made = path.join(folder, 'release', 'win-unpacked');
    const packedFile = path.join(made, 'resources', 'app.asar');
    const drivers = asar.listPackage(packedFile, { isPack: false }).filter((file) => file.endsWith('.node'));
    expect(drivers.map((file) => path.posix.basename(file.replaceAll('\\', '/')))).toEqual([
      expect.stringMatching(/^sharp-win32-x64-[\d.]+\.node$/),
      'win32-x64.node',
    ]);
    // Windows loads it from the folder of the decoder.
    const beside = fs.readdirSync(path.join(`${packedFile}.unpacked`, 'node_modules/@img/sharp-win32-x64/lib'));
    expect(beside.filter((file) => /^libvips.*\.dll$/.test(file)).length).toBeGreaterThan(0);

    const exe = fs.readFileSync(path.join(made, 'Platbook.exe'));
    const ico = fs.readFileSync(path.join(root, 'electron', 'icons', 'icon.ico'));
    // Entries of 16 bytes after the head of 6: size of the picture at 8, its place at 12.
    for (let at = 6; at < 6 + 16 * ico.readUInt16LE(4); at += 16) {
      const start = ico.readUInt32LE(at + 12);
      expect(exe.includes(ico.subarray(start, start + ico.readUInt32LE(at + 8)))).toBe(true);
    }
    expect(exe.includes(Buffer.from('ProductName\0', 'utf16le'))).toBe(true);
    expect(exe.includes(Buffer.from('Platbook\0', 'utf16le'))).toBe(true);
    // Electron compares the archive's own head with this before it loads it.
    const length = fs.readFileSync(packedFile).readUInt32LE(12);
    const head = fs.readFileSync(packedFile).subarray(16, 16 + length);
    expect(exe.includes(createHash('sha256').update(head).digest('hex'))).toBe(true);
  }, 300_000);
});

test('the platform of the driver follows the options of the package', () => {
  const own = { platform: 'linux', arch: 'x64' };
  expect(platformOf([], own)).toBe('linux-x64');
  expect(platformOf(['--win', 'nsis'], own)).toBe('win32-x64');
  expect(platformOf(['--mac', '--arm64'], own)).toBe('darwin-arm64');
});

test('icons are there in the three forms, each with the sizes that its system asks for', () => {
  const icons = path.join(root, 'electron', 'icons');
  const ico = fs.readFileSync(path.join(icons, 'icon.ico'));
  expect([ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([1, 7]);
  const icns = fs.readFileSync(path.join(icons, 'icon.icns'));
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
  const png = fs.readFileSync(path.join(icons, 'icon.png'));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
});
