/** Keeps a raster's heights in a process of its own, as a job does: `HOME FILE FIPS`. Tells peak memory and processor time. */
import { openEngine } from '../../engine/engine.ts';
import { ElevationRaster } from '../../engine/enrichment/elevation-raster.ts';
import { defaultSettings } from '../../engine/enrichment/enrichment-settings.ts';
import { boundsOf } from '../../engine/terrain/project-heights.ts';
import { keepHeights } from '../../engine/terrain/store-heights.ts';
import { peakBytes } from '../support/peak-memory.ts';

const [home = '', file = '', fips = ''] = process.argv.slice(2);
// A job has the home open, too.
const engine = openEngine({ home, keepsIndexes: false });
const raster = await ElevationRaster.open(file, defaultSettings);
const before = process.cpuUsage();
await keepHeights(home, raster, {
  ...{ fips, box: boundsOf(raster), content: 'rough', attribution: '' },
  onTile: () => {},
});
const { user, system } = process.cpuUsage(before);
await raster.close();
engine.close();
process.send?.({ peakBytes: peakBytes(), cpuSeconds: (user + system) / 1e6 });
