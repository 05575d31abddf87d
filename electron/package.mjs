// `npm run dist`: stages the app for a platform and runs electron-builder, with all other options (`npm run dist --
// --linux dir`). Without a signing identity nothing is signed; the portable folder is for users whose system refuses an
// unsigned app.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { licencesText } from '../engine/bin/licences.mjs';
import { decodersFor } from '../engine/bin/portable.mjs';
import { stageApp } from '../engine/bin/stage-app.mjs';

const root = path.resolve(import.meta.dirname, '..');

/** The driver's platform, from electron-builder's own options; default: this machine's. */
export function platformOf(args, own = { platform: process.platform, arch: process.arch }) {
  const named = {
    '--linux': 'linux',
    '-l': 'linux',
    '--win': 'win32',
    '-w': 'win32',
    '--mac': 'darwin',
    '-m': 'darwin',
  };
  const platform = args.map((arg) => named[arg]).find(Boolean) ?? own.platform;
  const arch = args.includes('--arm64') ? 'arm64' : args.includes('--x64') ? 'x64' : own.arch;
  return `${platform}-${arch}`;
}

/**
 * @param {object} options
 * @param {string} options.stage a folder for the app as it is packed; emptied first
 * @param {string} options.output where packages go
 * @param {string[]} options.args for electron-builder
 * @param {string} [options.built] see stageApp
 * @param {string} [options.electronDist] a folder with Electron's binary; else electron-builder brings its own
 */
export function packageApp({ stage, output, args, built, electronDist }) {
  const platform = platformOf(args);
  const added = decodersFor(platform);
  stageApp({ root, folder: stage, platform, withShell: true, added, ...(built ? { built } : {}) });
  fs.writeFileSync(path.join(stage, 'LICENCES.txt'), licencesText(root));
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'node_modules', 'electron', 'package.json'), 'utf8'));
  const builder = createRequire(import.meta.url).resolve('electron-builder/cli.js');
  const config = {
    'directories.output': output,
    electronVersion: version,
    ...(electronDist ? { electronDist } : {}),
  };
  const options = Object.entries(config).map(([name, value]) => `--config.${name}=${value}`);
  execFileSync(
    process.execPath,
    [
      builder,
      ...args,
      '--projectDir',
      stage,
      '--config',
      path.join(root, 'electron-builder.yml'),
      ...options,
      '--publish',
      'never',
    ],
    { cwd: stage, stdio: ['ignore', 'inherit', 'inherit'] },
  );
}

if (process.argv[1] === import.meta.filename) {
  packageApp({
    stage: path.join(root, 'release', 'stage'),
    output: path.join(root, 'release'),
    args: process.argv.slice(2),
  });
}
