/** Actions on loaded data: undo an import, remove a dataset, recompute. Each is a job; the wizard shows its report. */
import type { EngineClient } from '../client/engine-client.ts';
import { toast } from '../state/toasts.ts';
import { beginAgain } from './import-state.ts';
import { refreshJobs } from './use-jobs.ts';

async function followed(start: () => Promise<{ data: { job_id: number } }>): Promise<void> {
  try {
    const { data } = await start();
    await refreshJobs();
    beginAgain({ step: 'run', jobId: data.job_id });
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

export const undoImport = (client: EngineClient, importId: number): Promise<void> =>
  followed(() => client.change('undo_import', { import_id: importId }));

export const redoImport = (client: EngineClient, importId: number): Promise<void> =>
  followed(() => client.change('undo_import', { import_id: importId, redo: true }));

/** Makes comps from the sales in the county's own file. */
export const deriveComps = (client: EngineClient, county: string): Promise<void> =>
  followed(() => client.change('start_derive_comps', { county }));

/** Recomputes new and redrawn parcels from the kept layers. */
export const computeWaiting = (client: EngineClient, county: string): Promise<void> =>
  followed(() => client.change('start_enrich_again', { county }));

export const deleteDataset = (client: EngineClient, datasetId: number): Promise<void> =>
  followed(() => client.change('delete_dataset', { dataset_id: datasetId }));
