/** Deletes the parcels of a dataset. Their ids stay reserved, notes stay with them, and it can be undone. */
import { indexCounty } from '../../columns/update-index.ts';
import { assessorSource } from '../../comps/comp-columns.ts';
import { EngineError } from '../../spec/errors.ts';
import { removeColumnIndex } from '../../store/column-store.ts';
import type { LandStore } from '../../store/land-store.ts';
import { staleNeighbours } from '../../store/neighbour-store.ts';
import { removeUndoOrphans } from '../../store/undo-store.ts';
import { homeOf, recordImport } from './import-parcels.ts';
import { announceChange, dropTriggersAndIndexes, refreshLayerStatistics } from './layer-upkeep.ts';
import { pruneUndo } from './prune-undo.ts';
import { saveBefore } from './save-before.ts';

export interface DeleteReport {
  /** The number for undoing it. */
  readonly import_id: number;
  readonly dataset_id: number;
  readonly fips: string;
  /** Deleted parcels, including retired ones. */
  readonly removed: number;
}

interface DatasetKeyRow {
  readonly fips: string;
  readonly jurisdiction: string;
  readonly source_name: string;
  readonly source_date: string;
}

interface DeleteEars {
  /** Called at the end of the transaction; its writes commit with the rest. */
  readonly onCommitting?: (report: DeleteReport) => void;
  /** Called right after the commit, before older undo files are deleted. */
  readonly onCommitted?: (report: DeleteReport) => void;
}

/** In one transaction. @throws EngineError not_found, disk_full */
export function deleteDataset(
  land: LandStore,
  datasetId: number,
  now: () => Date,
  { onCommitting, onCommitted }: DeleteEars = {},
): DeleteReport {
  const { file } = land;
  const home = homeOf(land);
  const { place, report } = file.transaction(() => {
    const dataset = file.get<DatasetKeyRow>(
      'SELECT fips, jurisdiction, source_name, source_date FROM datasets WHERE dataset_id = ?',
      datasetId,
    );
    if (!dataset) throw new EngineError('not_found', `There is no dataset ${datasetId}.`);
    const { fips, jurisdiction, source_name: source, source_date: date } = dataset;
    const at = now();
    const own = 'SELECT property_id FROM parcels WHERE dataset_id = :datasetId';
    removeUndoOrphans(land.file, home);
    const removed = file.column<number>(own, { datasetId }).length;
    const importId = recordImport(land, {
      ...{ datasetId, fips, jurisdiction, source, date, at, action: 'delete' },
      counts: { removed },
    });
    saveBefore(
      file,
      home,
      { importId, datasetId, fips, doneAt: at.toISOString() },
      { replaced: own, added: 'SELECT 0 WHERE 0', touched: 'SELECT 0 WHERE 0' },
      { datasetId },
    );
    removeParcels(land, datasetId, fips, at);
    const made = { import_id: importId, dataset_id: datasetId, fips, removed };
    onCommitting?.(made);
    return { place: dataset, report: made };
  });
  onCommitted?.(report);
  pruneUndo(land, home, place);
  return report;
}

function removeParcels({ file }: LandStore, datasetId: number, fips: string, at: Date): void {
  const own = 'SELECT property_id FROM parcels WHERE dataset_id = :datasetId';
  const putBack = dropTriggersAndIndexes(file, false);
  const names = { datasetId };
  file.run(`DELETE FROM idx_parcels_geom WHERE pkid IN (${own})`, names);
  file.run(`DELETE FROM computed_values WHERE property_id IN (${own})`, names);
  file.run(`DELETE FROM raw_columns WHERE property_id IN (${own})`, names);
  file.run(`DELETE FROM comps WHERE source = :source AND property_id IN (${own})`, {
    ...names,
    source: assessorSource,
  });
  file.run(`UPDATE comps SET property_id = NULL WHERE property_id IN (${own})`, names);
  file.run('DELETE FROM parcels WHERE dataset_id = ?', datasetId);
  file.run('DELETE FROM datasets WHERE dataset_id = ?', datasetId);
  putBack();
  const any = file.get<{ id: number }>('SELECT property_id AS id FROM parcels WHERE fips = ? LIMIT 1', fips);
  announceChange(file, any?.id ?? null);
  refreshLayerStatistics(file, at);
  staleNeighbours(file, fips);
  if (any) indexCounty(file, fips);
  else removeColumnIndex(file, fips);
}
