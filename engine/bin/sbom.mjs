// The list of everything in the release that others made (CycloneDX 1.6): packages that Node loads, those that vite bundled
// into the pages, Node itself, what GDAL's WebAssembly was linked from, outlines and fonts.
import fs from 'node:fs';
import path from 'node:path';
import { bundledPackages, licencesOf } from './licences.mjs';
import { nodeVersion } from './portable.mjs';
import { lock, manifest, productionPackages } from './stage-app.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');

/**
 * By the makefile of gdal3.js at its tag v2.8.1; those of GDAL, GEOS, PROJ and libtiff stand in the WebAssembly too. GDAL
 * brings the rest of what it needs (libpng, libjpeg, LERC …) in its own sources.
 */
const gdalParts = [
  ['gdal', '3.8.4', 'MIT'],
  ['geos', '3.12.1', 'LGPL-2.1-only'],
  ['proj', '9.3.1', 'MIT'],
  ['libspatialite', '5.1.0', 'MPL-1.1 OR GPL-2.0-or-later OR LGPL-2.1-or-later'],
  ['sqlite', '3.45.1', 'blessing'],
  ['libtiff', '4.6.0', 'libtiff'],
  ['libgeotiff', '1.7.1', 'MIT'],
  ['libwebp', '1.3.2', 'BSD-3-Clause'],
  ['expat', '2.6.0', 'MIT'],
  ['zlib', '1.3.1', 'Zlib'],
  ['libiconv', '1.17', 'LGPL-2.1-or-later'],
].map(([name, version, licence]) => component('library', name, version, licence, `pkg:generic/${name}@${version}`));

function component(type, name, version, licence, purl) {
  const isExpression = /^\(?[A-Za-z0-9.-]+( (AND|OR|WITH) |[A-Za-z0-9.()-])*\)?$/.test(licence);
  return {
    type,
    name,
    ...(version ? { version } : {}),
    licenses: [isExpression ? { expression: licence } : { license: { name: licence } }],
    ...(purl ? { purl } : {}),
  };
}

function packageComponent(key) {
  const { name, version, kind } = licencesOf(root, key);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [algorithm, digest = ''] = (lock[key].integrity ?? '').split('-');
  const hashes =
    algorithm === 'sha512' ? [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] : [];
  return {
    ...component('library', name, version, kind, purl),
    'bom-ref': key,
    ...(hashes.length > 0 ? { hashes } : {}),
    ...(name === 'gdal3.js' ? { components: gdalParts } : {}),
  };
}

/** @param {string} [options.built] see stageApp */
export function sbom({ time, built = path.join(root, 'dist') }) {
  const installed = productionPackages().filter((key) => fs.existsSync(path.join(root, key)));
  const keys = [...new Set([...installed, ...bundledPackages(built)])].sort();
  const { version: atlas } = lock['node_modules/us-atlas'];
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: component(
        'application',
        'platbook',
        manifest.version,
        manifest.license,
        `pkg:npm/platbook@${manifest.version}`,
      ),
    },
    components: [
      component('platform', 'node', nodeVersion, 'MIT', `pkg:generic/node@${nodeVersion}`),
      ...keys.map(packageComponent),
      component('data', 'us-atlas', atlas, 'ISC', `pkg:npm/us-atlas@${atlas}`),
      component('data', 'Barlow Condensed', null, 'OFL-1.1', null),
      component('data', 'Inter', null, 'OFL-1.1', null),
    ],
  };
}

export function writeSbom({ out, ...options }) {
  const file = path.join(out, `platbook-${manifest.version}.cdx.json`);
  fs.writeFileSync(file, `${JSON.stringify(sbom(options), null, 2)}\n`);
  return file;
}
