// The engine as a few files of JavaScript, below dist/bundle: a process that loads it starts in a third of the time that the
// sources take, some 300 files of TypeScript beside those of packages. Made once for each content of the sources.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { contentHash } from './content-hash.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const folder = path.join(root, 'dist', 'bundle');

/** What processes and threads begin with, below engine/. */
const entries = [
  'cli',
  'cli/lake-child',
  'enrichment/enrichment-worker',
  'importing/formats/gdal/gdal-worker',
  'importing/formats/zip/unzip-worker',
  'jobs/watch-thread',
  'jobs/worker-child',
  'sql/sql-child',
  'sql/sql-thread',
];

/** Packages with files that they look for beside their code. */
const external = ['better-sqlite3', 'gdal3.js', 'pg-native', 'sharp'];

const keptDays = 3;

const bundleFolder = () => path.join(folder, contentHash(['engine', 'package-lock.json']));

/** The bundle of the present sources; null if it is not made. */
export function findBundle() {
  const found = bundleFolder();
  if (!fs.existsSync(found)) return null;
  try {
    const now = new Date();
    fs.utimesSync(found, now, now);
  } catch {
    // A folder of another user.
  }
  return found;
}

/** Makes the bundle unless it is there; of two processes at once, one's is used by both. @returns its folder */
export async function makeBundle() {
  const made = bundleFolder();
  if (fs.existsSync(made)) return made;
  fs.mkdirSync(folder, { recursive: true });
  removeOld();
  const part = fs.mkdtempSync(`${made}.part-`);
  try {
    await writeBundle(part);
    try {
      fs.renameSync(part, made);
    } catch (error) {
      if (!fs.existsSync(made)) throw error;
    }
  } finally {
    fs.rmSync(part, { recursive: true, force: true });
  }
  return made;
}

/** rolldown, which comes with vite. */
async function writeBundle(part) {
  const vite = createRequire(import.meta.url).resolve('vite/package.json');
  const { rolldown } = await import(pathToFileURL(createRequire(vite).resolve('rolldown')).href);
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((name) => [name, path.join(root, 'engine', `${name}.ts`)])),
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    platform: 'node',
    logLevel: 'silent',
  });
  await build.write({
    dir: part,
    format: 'esm',
    // Code that looks for files beside itself lies at the top (engine/package-root.ts).
    entryFileNames: ({ name }) => (name === 'cli' ? 'cli.js' : '[name].code.js'),
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
  });
  await build.close();
  // A stack names files and lines of the sources only in code that is loaded after this.
  for (const name of entries.filter((entry) => entry !== 'cli')) {
    const start = `process.setSourceMapsEnabled(true);\nawait import('./${path.posix.basename(name)}.code.js');\n`;
    fs.writeFileSync(path.join(part, `${name}.js`), start);
  }
  fs.mkdirSync(path.join(part, 'columns'), { recursive: true });
  fs.copyFileSync(path.join(root, 'engine', 'columns', 'kernels.wasm'), path.join(part, 'columns', 'kernels.wasm'));
  fs.writeFileSync(path.join(part, 'package.json'), '{ "type": "module" }');
}

/** Bundles and parts that no start has used for days; a program that runs may still load from a newer one. */
function removeOld() {
  const oldest = Date.now() - keptDays * 24 * 3600 * 1000;
  for (const name of fs.readdirSync(folder)) {
    const old = path.join(folder, name);
    if ((fs.statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? oldest) < oldest)
      fs.rmSync(old, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await makeBundle();
