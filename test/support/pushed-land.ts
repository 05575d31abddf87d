/** A home with the fixture county on a server, and engines over that server. */
import { onTestFinished } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { PostgisLand } from '../../engine/postgis/postgis-land.ts';
import { pushLand } from '../../engine/postgis/push.ts';
import { parseServerAddress } from '../../engine/postgis/server-address.ts';
import { fillFixture, fixtureFips, putPlainParcels } from './fixture-home.ts';
import { emptyHome } from './homes.ts';
import { connected, type TestServer } from './postgis.ts';

/** Parcels beside those of the fixture. */
export const plain = 3000;
export const larger = { county: fixtureFips, acres_min: 20, page_size: 5 };
/** Nothing of it is on a page, so that memory alone can answer. */
export const impossible = { county: fixtureFips, acres_min: 1e6 };

export interface OverLand {
  readonly land: PostgisLand;
  readonly engine: Engine;
}

/** An engine of an empty home. */
export function opened(land?: PostgisLand): Engine {
  const engine = openEngine({ home: emptyHome(), keepsIndexes: false, ...(land && { land }) });
  onTestFinished(async () => {
    engine.close();
    await land?.close();
  });
  return engine;
}

/** @param prepare the home, before each push */
export async function pushedLand(started: TestServer | null, prepare: (home: Engine) => void = () => {}) {
  if (!started) throw new Error('no server');
  const { url, access } = await started.newDatabase();
  const home = opened();
  fillFixture(home);
  putPlainParcels(home, plain);
  const server = await connected(url, access);
  const push = async () => {
    prepare(home);
    const { counties } = await pushLand(server, home.home, { platbook: '0.0.0' });
    return counties[0];
  };
  await push();
  const over = (keptBytes?: number): OverLand => {
    const land = new PostgisLand(parseServerAddress(url), access, keptBytes);
    return { land, engine: opened(land) };
  };
  return { url, access, home, server, push, over };
}

export const countOf = async (engine: Engine, body: object): Promise<number> =>
  (await engine.call('filter_properties', body)).data.count;
