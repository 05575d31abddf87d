/**
 * `node engine/bin/make-outlines.mjs`: writes data/outlines/counties.topojson, the outlines of states and counties that
 * the map shows before there are parcels. From us-atlas (ISC), made from the Census Bureau's cartographic boundary
 * files; run once for each of its versions. Leaves out the nation's own outline, which the states form.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const { version } = require('us-atlas/package.json');
const { bbox, transform, objects, arcs } = require('us-atlas/counties-10m.json');

const outlines = {
  type: 'Topology',
  source: `us-atlas ${version} (ISC), from the U.S. Census Bureau's cartographic boundary files of 2017`,
  bbox,
  transform,
  objects: { states: objects.states, counties: objects.counties },
  arcs,
};

const folder = path.resolve(import.meta.dirname, '..', '..', 'data', 'outlines');
fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(path.join(folder, 'counties.topojson'), `${JSON.stringify(outlines)}\n`);
fs.copyFileSync(require.resolve('us-atlas/LICENSE'), path.join(folder, 'LICENSE.txt'));
