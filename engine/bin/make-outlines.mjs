/**
 * `node engine/bin/make-outlines.mjs`: data/outlines/counties.topojson, the outlines of states and counties that the map shows
 * before there is any parcel. From us-atlas (ISC), which is made of the Census Bureau's cartographic boundary files; run
 * once for each version of it. Left out is the nation's own outline: the states' are it.
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
