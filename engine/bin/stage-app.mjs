// Collects what runs on a user's machine: the built engine and pages, the packages they import, and one database
// driver. The portable folder and the desktop package both use it, so that they cannot differ.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

export const { manifest, lock } = readProject(path.resolve(import.meta.dirname, '..', '..'));

function readProject(root) {
  const read = (name) => JSON.parse(fs.readFileSync(path.join(root, name), 'utf8'));
  return { manifest: read('package.json'), lock: read('package-lock.json').packages };
}

/** Where Node finds `name` for a package at `from`; null for an optional package that is not installed. */
function resolvePackage(from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const key = `${at ? `${at}/` : ''}node_modules/${name}`;
    if (lock[key]) return key;
    if (!at) return null;
  }
}

/** The name of a package, from its place in the lock file. */
export const nameOf = (key) => key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** @returns {string[]} places in the lock file of the named packages and all that they need; no types */
export function packagesWith(names) {
  const found = new Set();
  const add = (from, name) => {
    const key = resolvePackage(from, name);
    if (key === null || found.has(key) || name.startsWith('@types/')) return;
    found.add(key);
    const { dependencies, optionalDependencies } = lock[key];
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) add(key, next);
  };
  for (const name of names) add('', name);
  return [...found].sort();
}

export const productionPackages = () => packagesWith(Object.keys(manifest.dependencies));

/**
 * For packages that ship the same code several times (for browsers, for `require`, minified): the files Node loads. The
 * portable folder's test loads every one of them.
 */
const neededParts = {
  '@modelcontextprotocol/core': (file) => file.endsWith('.mjs'),
  '@modelcontextprotocol/server': (file) => file.endsWith('.mjs'),
  'better-sqlite3': (file, platform) => /^lib\//.test(file) || file === `prebuilds/${platform}.node`,
  'csv-parse': (file) => /^lib\//.test(file),
  'csv-stringify': (file) => /^lib\//.test(file),
  'gdal3.js': (file) => /^dist\/package\/gdal3(\.node\.js|WebAssembly\.(wasm|data))$/.test(file),
  geotiff: (file) => /^dist-module\//.test(file),
  'libphonenumber-js': (file) =>
    /^(min|core|es6)\//.test(file) || /^metadata\.min\.json(\.js)?$/.test(file) || /^index\.(c?js|cjs\.js)$/.test(file),
  // Only compilers read it.
  'node-addon-api': () => false,
  pako: (file) => file === 'dist/pako.esm.mjs',
  proj4: (file) => file === 'dist/proj4-src.js',
  'xml-js': (file) => /^lib\//.test(file),
  sharp: (file) => /^dist\/.*\.[cm]js$/.test(file),
  zod: (file) => !/^src\/|\.cjs$/.test(file),
  zstddec: (file) => /^dist\/[\w-]+\.modern\.js$/.test(file),
};

const neverNeeded = [
  /\.map$/,
  /\.[cm]?ts$/,
  /\.(md|markdown|tsbuildinfo|flow|gyp|gypi|c|cc|cpp|h)$/i,
  /(^|\/)(tests?|__tests__|docs?|examples?|benchmarks?|bench|coverage|\.github|\.vscode)\//i,
  /\.(test|spec)\.[cm]?js$/,
  /\.sh$|(^|\/)bin\//,
  /(^|\/)(yarn\.lock|pnpm-lock\.yaml|tsconfig[^/]*\.json|\.[^/]+|Makefile|karma\.conf\.js|webpack\.config\.js)$/,
];

const isLicence = (file) => /^(licen[cs]e|copying|notice)/i.test(path.posix.basename(file));

/**
 * @param {string} name of the package
 * @param {string} file inside it, with slashes
 * @param {string} platform as better-sqlite3 names its drivers: `linux-x64`, `win32-x64`, `darwin-arm64`
 */
export function isNeeded(name, file, platform) {
  if (file === 'package.json' || isLicence(file)) return true;
  if (neverNeeded.some((pattern) => pattern.test(file))) return false;
  // Decoders of photos are a package a platform.
  if (/^@img\/sharp-/.test(name) && !name.endsWith(`-${platform}`)) return false;
  return neededParts[name]?.(file, platform) ?? true;
}

/** Files of a folder with slashes; without `all`, a package's own node_modules are packages of their own. */
export const filesOf = (folder, { all = false } = {}) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => all || !/(^|\/)node_modules\//.test(file));

function copyFile(from, to) {
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.copyFileSync(from, to);
}

/** The contents of the packed library, from the list in package.json, without files only compilers read. */
function ownFiles(root, built, builtParts) {
  const entries = manifest.files.filter((entry) => entry !== 'dist' && !entry.startsWith('!'));
  return [...entries, ...builtParts.map((part) => `dist/${part}`)].flatMap((entry) => {
    const from = entry.startsWith('dist/') ? path.join(built, entry.slice('dist/'.length)) : path.join(root, entry);
    if (!fs.statSync(from).isDirectory()) return [{ from, to: entry }];
    return filesOf(from)
      .filter((file) => !/\.d\.[cm]?ts$|\.map$/.test(file))
      .map((file) => ({ from: path.join(from, file), to: `${entry}/${file}` }));
  });
}

/**
 * @param {object} options
 * @param {string} options.root of the project
 * @param {string} options.folder where the app goes; emptied first
 * @param {string} options.platform see isNeeded
 * @param {boolean} options.withShell whether the Electron shell goes along
 * @param {string} [options.built] the built files; default: the project's own `dist`
 * @param {{ to: string, bytes: Uint8Array }[]} [options.added] files that are not in node_modules here
 * @returns {{ packages: string[], checksum: string }}
 */
export function stageApp({ root, folder, platform, withShell, built = path.join(root, 'dist'), added = [] }) {
  fs.rmSync(folder, { recursive: true, force: true });
  const parts = ['engine', 'renderer', ...(withShell ? ['electron'] : [])];
  for (const { from, to } of ownFiles(root, built, parts)) copyFile(from, path.join(folder, to));
  const packages = productionPackages().filter((key) => fs.existsSync(path.join(root, key)));
  for (const key of packages) {
    const name = nameOf(key);
    for (const file of filesOf(path.join(root, key))) {
      if (isNeeded(name, file, platform)) copyFile(path.join(root, key, file), path.join(folder, key, file));
    }
  }
  for (const { to, bytes } of added) {
    fs.mkdirSync(path.dirname(path.join(folder, to)), { recursive: true });
    fs.writeFileSync(path.join(folder, to), bytes);
  }
  copyFile(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  const checksum = checksumOf(folder);
  writeManifest(folder, withShell, checksum);
  return { packages, checksum };
}

/** SHA-256 of the list that `sha256sum` prints of the program's files in the order of their names; About shows it. */
function checksumOf(folder) {
  const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
  const files = filesOf(folder, { all: true }).sort();
  return digest(files.map((file) => `${digest(fs.readFileSync(path.join(folder, file)))}  ${file}\n`).join(''));
}

/** Only the fields read at run time: version and checksum, and for Electron the name and the entry file. */
function writeManifest(folder, withShell, checksum) {
  const { name, version, description, license, author, homepage, dependencies } = manifest;
  const kept = { name, productName: 'Platbook', version, description, license, author, homepage, type: 'module' };
  const loaded = Object.entries(dependencies).filter(([name]) => !name.startsWith('@types/'));
  const main = withShell ? { main: 'dist/electron/main.js' } : {};
  const text = { ...kept, ...main, checksum, dependencies: Object.fromEntries(loaded) };
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(text, null, 2)}\n`);
}

/** Bytes of all files below a folder. */
export const bytesOf = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0);
