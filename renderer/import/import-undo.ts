/** What is done from what is loaded: taking an import back, taking a dataset out, computing again. Jobs of their own, whose reports the wizard shows. */
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

/** Comps from the sales that the county's file records. */
export const deriveComps = (client: EngineClient, county: string): Promise<void> =>
  followed(() => client.change('start_derive_comps', { county }));

/** Parcels that are new or redrawn since, from the layers that are kept. */
export const computeWaiting = (client: EngineClient, county: string): Promise<void> =>
  followed(() => client.change('start_enrich_again', { county }));

export const deleteDataset = (client: EngineClient, datasetId: number): Promise<void> =>
  followed(() => client.change('delete_dataset', { dataset_id: datasetId }));
