/** The dry run: does everything an import does except writing, so its counts are those of the import. */
import { importColumns } from '../../spec/parcel-columns.ts';
import type { LandStore } from '../../store/land-store.ts';
import type { ImportOptions } from '../stage/import-options.ts';
import type { ImportReport } from '../stage/import-report.ts';
import { estimateSpace, type SpaceEstimate } from '../stage/space-check.ts';
import { compareStaged, homeOf, withStaged } from './import-parcels.ts';
import type { StagedState } from './merge-parcels.ts';

/** A parcel after the import. */
interface SampleRow {
  /** Its future id. */
  readonly property_id: number;
  readonly state: 'new' | 'changed' | 'returned' | 'unchanged';
  /** Non-empty columns of the dictionary. */
  readonly values: Readonly<Record<string, string | number>>;
}

export interface ImportPlanReport extends ImportReport {
  /** Current parcels of the dataset. */
  readonly standing: number;
  readonly samples: readonly SampleRow[];
  readonly space: SpaceEstimate;
}

const sampleCount = 20;

/**
 * Changes nothing. Reads the file whole, matches identities, and compares with the home, in one snapshot.
 * @throws EngineError like the import
 */
export async function planImport(land: LandStore, options: ImportOptions): Promise<ImportPlanReport> {
  return withStaged(land, options, (staged) =>
    land.file.snapshot(() => {
      const { parcels, report } = compareStaged(land, options, staged);
      try {
        return {
          ...report,
          seconds: (options.now().getTime() - staged.started.getTime()) / 1000,
          standing: countStanding(land, report.dataset_id),
          samples: sampleRows(land),
          space: estimateSpace(land, homeOf(land), options),
        };
      } finally {
        parcels.drop();
      }
    }),
  );
}

const countStanding = ({ file }: LandStore, datasetId: number): number =>
  file.get<{ n: number }>("SELECT count(*) AS n FROM parcels WHERE dataset_id = ? AND status = 'current'", datasetId)
    ?.n ?? 0;

/** The first changed parcels, then new ones, for review before a county is replaced. */
function sampleRows({ file }: LandStore): SampleRow[] {
  const names = importColumns.map(({ name }) => name);
  const rows = file.all<
    Record<string, string | number | null> & Pick<SampleRow, 'property_id'> & { state: StagedState }
  >(
    `SELECT i.property_id, i.state, ${names.map((name) => `s.${name}`).join(', ')}
     FROM temp.staged_ids i JOIN staging.staged_parcels s ON s.stage_id = i.stage_id
     ORDER BY CASE i.state WHEN 'changed' THEN 0 WHEN 'new' THEN 1 WHEN 'returned' THEN 2 ELSE 3 END, i.property_id
     LIMIT ${sampleCount}`,
  );
  return rows.map(({ property_id, state, ...values }) => ({
    property_id,
    state: state === 'recounted' ? 'unchanged' : state,
    values: Object.fromEntries(
      Object.entries(values).filter((entry): entry is [string, string | number] => entry[1] !== null),
    ),
  }));
}
