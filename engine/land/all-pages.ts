/** All pages of a list as one, from one state of the land. */
import type { Envelope } from '../spec/paging.ts';
import { type Answered, andThen, repeat } from './answered.ts';
import type { LandReader } from './land-reader.ts';

export const allPages = (
  whole: LandReader,
  readPage: (land: LandReader, page: number) => Answered<unknown>,
): Answered<Envelope<unknown>> =>
  whole.reading((land) => {
    const results: unknown[] = [];
    let page = 1;
    return repeat(() =>
      andThen(readPage(land, page++), (answer) => {
        const data = answer as Envelope<unknown>;
        for (const result of data.results) results.push(result);
        return data.next === null ? { ...data, previous: null, results } : null;
      }),
    );
  });
