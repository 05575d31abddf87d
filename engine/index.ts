/**
 * The public door of the engine: `import { openEngine } from 'platbook'`.
 *
 *     const engine = openEngine({ home: '/path/to/home' });
 *     const { data, tokens } = await engine.call('filter_properties', { county: '33019', acres_min: 5 });
 *     for await (const parcel of engine.each('filter_properties', { county: '33019' })) console.log(parcel.apn);
 *     engine.sql('SELECT zoning, count(*) AS parcels FROM parcels WHERE fips = ? GROUP BY zoning', ['33019']);
 *     engine.close();
 */
export type { Mode } from './account/meter.ts';
export type { DeletedContact } from './backup/delete-contact.ts';
export type { CompValueExplanation, UsedComp } from './comps/value-types.ts';
export { type Answer, type Caller, type Engine, type EngineOptions, openEngine, type SqlValues } from './engine.ts';
export type { JobStatus } from './jobs/job.ts';
export type { SpawnWorker } from './jobs/worker-messages.ts';
export type { InputOf, OperationName, OutputOf } from './operations/index.ts';
export type { UnwantedContact } from './people/unwanted.ts';
export type { BookHooks, BookOrder } from './print-book.ts';
export { type ShareChoice, type SharePage, sharePage } from './share-page/share-page.ts';
export { type AdjoinerMap, adjoinerMap } from './sheet/adjoiner-map.ts';
export type { ViewSheet, ViewSheetInput } from './sheet/view-sheet.ts';
export { EngineError, type ErrorCode, type ErrorDetails } from './spec/errors.ts';
export type { Envelope } from './spec/paging.ts';
export type { ParcelSummary } from './spec/parcel-summary.ts';
export type { FilterFields, ParcelDetail, ParcelOrdering } from './spec/wire-types.ts';
export type { LandKysely, LandTables } from './sql/land-kysely.ts';
export type { ExplainedValue } from './value-explained.ts';
