/** The exact count, and the effect of each filter. */
import type { LandStore } from '../store/land-store.ts';
import { byColumns, type CountedFilters, countByColumns } from './live-by-columns.ts';
import type { LiveRequest } from './live-request.ts';
import { countBySql } from './stand-in/live-by-sql.ts';

/** @throws EngineError validation_error when the query takes too long */
export const liveCount = (land: LandStore, request: LiveRequest): CountedFilters =>
  byColumns(land, request, countByColumns) ?? countBySql(land, request);
