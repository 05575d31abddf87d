/** What the reads of lists answer. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';

export type Searches = ReadOutputOf<'saved_searches'>;
export type Search = Searches[number];
export type Lists = ReadOutputOf<'lists'>;
export type List = Lists['lists'][number];
export type ListRow = ReadOutputOf<'list_page'>['rows'][number];
export type Run = ReadOutputOf<'list_runs'>[number];
