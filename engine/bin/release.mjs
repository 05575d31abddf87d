// `npm run release`: everything that a person downloads, from one build, into `release/`: a zip for each platform, the
// npm package, a package for Debian and Ubuntu, the list of what is inside (SBOM), and the checksums. Two builds of one
// commit are equal to the byte: times are the commit's, order and modes are fixed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { withFile } from '../exporting/file-sink.ts';
import { ZipWriter } from '../exporting/zip-writer.ts';
import { makePortable, runtimes } from './portable.mjs';
import { writeSbom } from './sbom.mjs';
import { filesOf, isNeeded, manifest, nameOf, packagesWith } from './stage-app.mjs';
import { writeTexts } from './texts.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const { version } = manifest;

/** As people name their systems. */
const labels = { 'win32-x64': 'win-x64', 'darwin-x64': 'macos-x64', 'darwin-arm64': 'macos-arm64' };
const isExecutable = (file) =>
  /^(runtime\/node(\.exe)?|platbook\.(sh|command|desktop)|Platbook\.app\/Contents\/MacOS\/\w+)$/.test(file);

/** The time of everything in the release. */
export function commitTime() {
  const seconds = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return new Date(Number(process.env.SOURCE_DATE_EPOCH ?? seconds) * 1000);
}

/** A folder as a zip; inside it is named after the version, so that two versions stand side by side. */
export async function makeZip({ folder, platform, out, time }) {
  const zip = path.join(out, `platbook-${version}-${labels[platform] ?? platform}.zip`);
  await withFile(zip, async (sink) => {
    const writer = new ZipWriter(sink, time);
    for (const file of filesOf(folder, { all: true }).sort()) {
      const add = async (entry) => entry.put(fs.readFileSync(path.join(folder, file)));
      await writer.add(`Platbook-${version}/${file}`, add, { isExecutable: isExecutable(file) });
    }
    await writer.finish();
  });
  fs.chmodSync(zip, 0o644);
  return zip;
}

/** Npm installs them beside ours: scripts share their Kysely with it, types are one for all packages, and decoders are of a system. */
const isBundled = (name) => name !== 'kysely' && name !== 'sharp' && !name.startsWith('@types/');

/** What the npm package carries of its dependencies: the files that Node and compilers load, a third of them. */
function bundledFiles() {
  return packagesWith(Object.keys(manifest.dependencies).filter(isBundled))
    .filter((key) => fs.existsSync(path.join(root, key)))
    .flatMap((key) => {
      const name = nameOf(key);
      // Types stay where their code does, and the drivers of all systems: npm does not ask for which one it is.
      const isLoaded = (file) => isNeeded(name, file.replace(/\.d\.([cm]?)ts$/, '.$1js'), path.basename(file, '.node'));
      return filesOf(path.join(root, key))
        .filter(isLoaded)
        .map((file) => `${key}/${file}`);
    });
}

/** The npm package, by files and modes that no umask changes; without what only a checkout needs. */
export function makeNpmPackage({ out }) {
  const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--ignore-scripts', '--json'], root));
  const stage = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-npm-'));
  try {
    for (const file of [...files.map(({ path: own }) => own), ...bundledFiles()]) {
      fs.mkdirSync(path.dirname(path.join(stage, file)), { recursive: true });
      fs.copyFileSync(path.join(root, file), path.join(stage, file));
      fs.chmodSync(path.join(stage, file), Object.values(manifest.bin).includes(file) ? 0o755 : 0o644);
    }
    // `private` keeps a checkout from being published by mistake.
    const { private: _private, scripts: _scripts, devDependencies: _dev, allowScripts: _allow, ...kept } = manifest;
    const text = { ...kept, bundleDependencies: Object.keys(kept.dependencies).filter(isBundled) };
    fs.writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(text, null, 2)}\n`, { mode: 0o644 });
    const [{ filename }] = JSON.parse(npm(['pack', '--ignore-scripts', '--json', '--pack-destination', out], stage));
    return path.join(out, filename);
  } finally {
    fs.rmSync(stage, { recursive: true, force: true });
  }
}

/** Fills in what changes with a release. */
const filled = (text, values) => text.replace(/@([A-Z]+)@/g, (mark, name) => values[name] ?? mark);

const packed = (text) => gzipSync(text, { level: 9 });

/** The package for Debian and Ubuntu: the portable folder in /usr/lib/platbook, a command, and a menu entry. */
export function makeDeb({ folder, out, time }) {
  const tree = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-deb-'));
  const sources = path.join(import.meta.dirname, 'debian');
  const values = {
    VERSION: version,
    DATE: time.toISOString().slice(0, 10),
    TIME: time.toUTCString().replace('GMT', '+0000'),
    LICENSE: fs.readFileSync(path.join(root, 'LICENSE'), 'utf8'),
  };
  const put = (to, bytes) => {
    fs.mkdirSync(path.dirname(path.join(tree, to)), { recursive: true });
    fs.writeFileSync(path.join(tree, to), bytes);
  };
  const source = (name) => filled(fs.readFileSync(path.join(sources, name), 'utf8'), values);
  try {
    for (const part of ['app', 'runtime'])
      fs.cpSync(path.join(folder, part), path.join(tree, 'usr/lib/platbook', part), { recursive: true });
    put('usr/bin/platbook', source('platbook'));
    put('usr/share/applications/platbook.desktop', source('platbook.desktop'));
    const metainfo = 'org.platbook.Platbook.metainfo.xml';
    put(`usr/share/metainfo/${metainfo}`, source(metainfo));
    put(
      'usr/share/icons/hicolor/512x512/apps/platbook.png',
      fs.readFileSync(path.join(root, 'electron/icons/icon.png')),
    );
    put('usr/share/man/man1/platbook.1.gz', packed(source('platbook.1')));
    put('usr/share/lintian/overrides/platbook', source('lintian-overrides'));
    const docs = 'usr/share/doc/platbook';
    put(`${docs}/copyright`, source('copyright'));
    put(`${docs}/changelog.gz`, packed(source('changelog')));
    put(`${docs}/CHANGELOG.md.gz`, packed(fs.readFileSync(path.join(root, 'CHANGELOG.md'))));
    put(`${docs}/LICENCES.txt.gz`, packed(fs.readFileSync(path.join(folder, 'LICENCES.txt'))));
    const files = filesOf(tree, { all: true }).sort();
    const md5 = (file) =>
      createHash('md5')
        .update(fs.readFileSync(path.join(tree, file)))
        .digest('hex');
    const kilobytes = files.reduce((sum, file) => sum + Math.ceil(fs.statSync(path.join(tree, file)).size / 1024), 0);
    put('DEBIAN/md5sums', files.map((file) => `${md5(file)}  ${file}\n`).join(''));
    put('DEBIAN/control', filled(source('control'), { KILOBYTES: String(kilobytes) }));
    put('DEBIAN/prerm', source('prerm'));
    const runs = new Set(['usr/bin/platbook', 'usr/lib/platbook/runtime/node', 'DEBIAN/prerm']);
    for (const entry of fs.readdirSync(tree, { recursive: true, withFileTypes: true })) {
      const full = path.join(entry.parentPath, entry.name);
      fs.chmodSync(full, entry.isDirectory() || runs.has(path.relative(tree, full)) ? 0o755 : 0o644);
    }
    fs.chmodSync(tree, 0o755);
    const deb = path.join(out, `platbook_${version}_amd64.deb`);
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(time.getTime() / 1000) };
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', tree, deb], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return deb;
  } finally {
    fs.rmSync(tree, { recursive: true, force: true });
  }
}

/** One line for each file of the release, as `sha256sum --check` reads it. @returns the sums by name */
function writeSums(out) {
  const digest = (name) =>
    createHash('sha256')
      .update(fs.readFileSync(path.join(out, name)))
      .digest('hex');
  const names = fs
    .readdirSync(out)
    .filter((name) => fs.statSync(path.join(out, name)).isFile())
    .sort();
  const sums = new Map(names.map((name) => [name, digest(name)]));
  fs.writeFileSync(path.join(out, 'SHA256SUMS'), [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join(''));
  return sums;
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      platform: { type: 'string', multiple: true, default: Object.keys(runtimes) },
      out: { type: 'string', default: path.join(root, 'release') },
    },
  });
  const out = path.resolve(values.out);
  const time = commitTime();
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out, { recursive: true });
  const made = [];
  const checksums = [];
  for (const platform of values.platform) {
    const { folder, checksum } = makePortable({ platform, out });
    checksums.push(`${checksum}  ${platform}\n`);
    made.push(await makeZip({ folder, platform, out, time }));
    if (platform === 'linux-x64') made.push(makeDeb({ folder, out, time }));
    fs.rmSync(folder, { recursive: true });
  }
  made.push(makeNpmPackage({ out }), writeSbom({ out, time }));
  fs.writeFileSync(path.join(out, `platbook-${version}.about.txt`), checksums.join(''));
  const sums = writeSums(out);
  // They name every system's zip.
  if (values.platform.length === Object.keys(runtimes).length) writeTexts({ out, sum: (file) => sums.get(file), time });
  for (const file of made) console.log(`${file}: ${(fs.statSync(file).size / 1e6).toFixed(1)} MB`);
}
