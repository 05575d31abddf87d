// The list of everything in the release that others made (CycloneDX 1.6): packages that Node loads, those that vite bundled
// into the pages, Node itself, what GDAL's WebAssembly was linked from, outlines and fonts.
import fs from 'node:fs';
import path from 'node:path';
import { bundledPackages, gdalParts, licencesOf } from './licences.mjs';
import { nodeVersion } from './portable.mjs';
import { lock, manifest, productionPackages } from './stage-app.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');

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

const gdalComponents = () =>
  gdalParts.map(([name, version, licence]) =>
    component('library', name, version, licence, `pkg:generic/${name}@${version}`),
  );

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
    ...(name === 'gdal3.js' ? { components: gdalComponents() } : {}),
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
