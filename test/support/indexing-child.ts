/** Changes a county and rebuilds its index, over and over, until it is killed. Reports each start. */
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import { openLandStore } from '../../engine/store/land-store.ts';

const land = openLandStore(process.argv[2] ?? '', () => performance.now());
for (let round = 1; ; round++) {
  land.file.run('UPDATE parcels SET acres = acres + 1 WHERE property_id % 7 = ?', round % 7);
  process.send?.(round);
  indexStaleCounties(land.file);
}
