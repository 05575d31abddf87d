/** Every engine of the bench, in the order of the table. */
import { duckdb } from './duckdb.ts';
import type { BenchEngine } from './engine.ts';
import { platbook } from './platbook.ts';
import { postgis } from './postgis.ts';
import { spatialite } from './spatialite.ts';

export const peers: readonly BenchEngine[] = [duckdb, postgis, spatialite];
export const engines: readonly BenchEngine[] = [platbook, ...peers];

export function getEngine(name: string): BenchEngine {
  const engine = engines.find((one) => one.name === name);
  if (!engine) throw new RangeError(`no engine is called ${name}`);
  return engine;
}
