/** The numbers and problem rows that the screen shows from a report: a dry run or import of one county or several. */
import type { ImportPlanReport, ImportReport, StatewideReport } from '../../engine/work/import-answers.ts';
import { formatNumber } from '../parts/format.ts';

export interface PlanNumbers {
  readonly counties: readonly ImportReport[];
  readonly features: number;
  /** Rows of which each may become a parcel: the features, and the accounts of a table that are kept. */
  readonly candidates: number;
  readonly refused: number;
  /** Parcels that the county gets from the files. */
  readonly parcels: number;
  readonly counts: {
    readonly new: number;
    readonly changed: number;
    readonly unchanged: number;
    /** Among them: parcels with recalculated values, such as the months of ownership. */
    readonly recounted: number;
    readonly retired: number;
  };
}

const isStatewide = (report: object): report is StatewideReport => 'counties' in report;

const sum = (reports: readonly ImportReport[], of: (report: ImportReport) => number): number =>
  reports.reduce((total, report) => total + of(report), 0);

export function numbersOf(report: ImportReport | StatewideReport): PlanNumbers {
  const counties = isStatewide(report) ? report.counties : [report];
  const unplaced = isStatewide(report) ? report.unplaced.count : 0;
  const counts = {
    new: sum(counties, (one) => one.new),
    changed: sum(counties, (one) => one.changed + one.returned),
    unchanged: sum(counties, (one) => one.unchanged),
    // Missing in reports older than 0.1.
    recounted: sum(counties, (one) => one.recounted ?? 0),
    retired: sum(counties, (one) => one.retired),
  };
  return {
    counties,
    counts,
    features: report.features_read,
    candidates: report.features_read + sum(counties, (one) => one.accounts ?? 0),
    refused: unplaced + sum(counties, (one) => one.refused.count),
    parcels: counts.new + counts.changed + counts.unchanged,
  };
}

interface ProblemRow {
  readonly file: string;
  readonly row: number;
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

/** The first problems of each kind that `checkLines` counts. */
export function problemRows({ counties }: PlanNumbers, kind: string | null): ProblemRow[] {
  const all: Readonly<Record<string, (report: ImportReport) => ProblemRow[]>> = {
    refused: (one) => one.refused.first.map(({ file, row, reason }) => ({ file, row, column: '', value: '', reason })),
    rings: (one) =>
      [...one.invalid_geometries.first, ...one.redrawn_geometries.first].map(({ file, row, apn, reason }) => ({
        ...{ file, row, reason },
        column: 'shape',
        value: apn ?? '',
      })),
    acres: (one) =>
      one.acres_off.first.map(({ file, row, recorded, computed }) => ({
        ...{ file, row },
        column: 'acres',
        value: formatNumber(recorded),
        reason: `the shape has ${formatNumber(computed)} acres`,
      })),
    values: (one) => one.value_problems.first.map((problem) => ({ ...problem })),
  };
  const kinds = kind === null ? ['refused', 'values', 'rings', 'acres'] : [kind];
  return kinds.flatMap((name) => counties.flatMap((one) => all[name]?.(one) ?? []));
}

export const hasRows = (id: string): boolean => ['refused', 'rings', 'acres', 'values'].includes(id);

export const spaceOf = (report: object): ImportPlanReport['space'] | null =>
  'space' in report ? (report as ImportPlanReport).space : null;

export const standingOf = (report: object): number =>
  'standing' in report ? (report as ImportPlanReport).standing : 0;
