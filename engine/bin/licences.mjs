// Collects the licences of everything shipped with Platbook in one file: packages that Node loads, and those Vite
// bundled into the pages.
import fs from 'node:fs';
import path from 'node:path';
import { packagesWith, productionPackages } from './stage-app.mjs';

/** Packages imported by the renderer's sources. */
function namedByRenderer(root) {
  const folder = path.join(root, 'renderer');
  const sources = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|css)$/.test(file))
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8'));
  const named = sources.flatMap((text) => [...text.matchAll(/(?:from|import)\s*\(?['"]([^'".][^'"]*)['"]/g)]);
  return [
    ...new Set(named.map(([, to]) => (to.startsWith('@') ? to.split('/').slice(0, 2).join('/') : to.split('/')[0]))),
  ];
}

/** Places in the lock file of the packages whose modules are in the built pages, as vite.config.ts notes them. */
export const bundledPackages = (built) =>
  JSON.parse(fs.readFileSync(path.join(built, 'renderer', 'packages.json'), 'utf8'));

/**
 * What GDAL's WebAssembly is linked from, by the makefile of gdal3.js at its tag v2.8.1, each with the file of its text in
 * `licences/`; versions of GDAL, GEOS, PROJ and libtiff stand in the WebAssembly too. GDAL brings the rest of what it needs
 * (libpng, libjpeg, LERC …) in its own sources and its own text.
 */
export const gdalParts = [
  ['gdal', '3.8.4', 'MIT'],
  ['geos', '3.12.1', 'LGPL-2.1-only', 'lgpl-2.1'],
  ['proj', '9.3.1', 'MIT', 'proj'],
  ['libspatialite', '5.1.0', 'MPL-1.1 OR GPL-2.0-or-later OR LGPL-2.1-or-later', 'lgpl-2.1'],
  ['sqlite', '3.45.1', 'blessing'],
  ['libtiff', '4.6.0', 'libtiff', 'libtiff'],
  ['libgeotiff', '1.7.1', 'MIT', 'libgeotiff'],
  ['libwebp', '1.3.2', 'BSD-3-Clause', 'libwebp'],
  ['expat', '2.6.0', 'MIT', 'expat'],
  ['zlib', '1.3.1', 'Zlib', 'zlib'],
  ['libiconv', '1.17', 'LGPL-2.1-or-later', 'lgpl-2.1'],
];

/** GDAL's own text is a file within its data; its place there stands in the module that loads it. */
function gdalText(folder) {
  const loader = fs.readFileSync(path.join(folder, 'gdal3.node.js'), 'utf8');
  const [, start, end] = /gdal\/LICENSE\.TXT",start:(\d+),end:(\d+)/.exec(loader);
  return fs.readFileSync(path.join(folder, 'gdal3WebAssembly.data')).subarray(+start, +end).toString('utf8').trim();
}

function gdalLicences(root) {
  const folder = path.join(root, 'node_modules/gdal3.js/dist/package');
  const textOf = (name, file) => {
    if (file) return fs.readFileSync(path.join(import.meta.dirname, 'licences', `${file}.txt`), 'utf8').trim();
    return name === 'gdal' ? gdalText(folder) : 'In the public domain.';
  };
  return gdalParts.map(([name, version, kind, file]) => ({ name, version, kind, texts: [textOf(name, file)] }));
}

/** Packages without a file of their text, by the beginning of their names; libvips is unchanged and loaded at run time. */
const textsElsewhere = { '@img/sharp-libvips-': 'lgpl-3.0' };

const isLicence = (file) => /^(licen[cs]e|copying|notice)/i.test(file);

export function licencesOf(root, key) {
  const folder = path.join(root, key);
  const { name, version, license, licenses } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const texts = fs
    .readdirSync(folder)
    .filter(isLicence)
    .filter((file) => fs.statSync(path.join(folder, file)).isFile())
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim());
  const elsewhere = Object.keys(textsElsewhere).find((beginning) => name.startsWith(beginning));
  if (texts.length === 0 && elsewhere)
    texts.push(
      fs.readFileSync(path.join(import.meta.dirname, 'licences', `${textsElsewhere[elsewhere]}.txt`), 'utf8').trim(),
    );
  const kind = typeof license === 'string' ? license : (license?.type ?? licenses?.[0]?.type ?? 'see its own page');
  return { name, version, kind, texts };
}

/** @returns {{ name: string, version: string, kind: string, texts: string[] }[]} sorted by name */
export function collectLicences(root) {
  const keys = new Set([...productionPackages(), ...packagesWith(namedByRenderer(root))]);
  return [...keys]
    .filter((key) => fs.existsSync(path.join(root, key, 'package.json')))
    .map((key) => licencesOf(root, key))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** One text; a licence that several packages share word for word appears once. */
export function licencesText(root) {
  const own = fs.readFileSync(path.join(root, 'LICENSE'), 'utf8').trim();
  const byText = new Map();
  for (const { name, version, kind, texts } of [...collectLicences(root), ...gdalLicences(root)]) {
    const text = texts.join('\n\n') || `${kind} (the package holds no file with the text)`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${kind})`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  const line = `\n\n${'-'.repeat(78)}\n\n`;
  return `${[`Platbook\n\n${own}`, 'Platbook is handed out with the works of others:', ...parts].join(line)}\n`;
}
