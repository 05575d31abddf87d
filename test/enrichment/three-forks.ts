/** The road classes of Three Forks: its file has neither MTFCC nor highway, so tests give a mapping. */
import type { RoadClassMapping } from '../../engine/enrichment/road-classes.ts';

export const threeForksRoads: RoadClassMapping = {
  column: 'roadtype',
  classes: {
    ST: 'local_road',
    AVE: 'local_road',
    LN: 'local_road',
    DR: 'local_road',
    RD: 'normal_road',
    TRL: null,
  },
  // highways and their ramps have no type
  other: 'major_highway',
};
