/** Starts or continues the run of values of list 1, telling of each parcel; its parent kills it. */
import { openEngine } from '../../engine/engine.ts';
import { runChange } from '../../engine/work/index.ts';

const engine = openEngine({ home: process.argv[2] ?? '', keepsIndexes: false });
engine.jobs.onChange(({ progress }) => progress && process.send?.(progress.rows));
await runChange(engine, 'start_list_run', { list_id: 1, kind: 'values' });
