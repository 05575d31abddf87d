/** Units of heights, with their meters: for settings, files and sums. */
import { metersPerFoot, metersPerSurveyFoot } from '../geo/local-metric.ts';

export const metersPerElevationUnit = { m: 1, ft: metersPerFoot, 'us-ft': metersPerSurveyFoot } as const;

export type ElevationUnit = keyof typeof metersPerElevationUnit;

export const elevationUnits = Object.keys(metersPerElevationUnit) as ElevationUnit[];

export const elevationUnitWords: Readonly<Record<ElevationUnit, string>> = {
  m: 'meters',
  ft: 'feet',
  'us-ft': 'U.S. survey feet',
};
