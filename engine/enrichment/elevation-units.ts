/** The units that heights come in, said once: for the settings, for what a file says, and for the sums. */
import { metersPerFoot, metersPerSurveyFoot } from '../geo/local-metric.ts';

export const metersPerElevationUnit = { m: 1, ft: metersPerFoot, 'us-ft': metersPerSurveyFoot } as const;

export type ElevationUnit = keyof typeof metersPerElevationUnit;

export const elevationUnits = Object.keys(metersPerElevationUnit) as ElevationUnit[];
