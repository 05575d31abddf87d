/** The live count: requested at once, throttled; the latest answer wins, and its filter is known. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import type { FilterRow } from '../../engine/spec/filters.ts';
import type { ClientError } from '../client/engine-client.ts';
import { useHeld, useTypedField } from '../parts/typing.ts';
import { usePaced, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { explore } from './explore-state.ts';
import { askableBody, type FilterBody, hasScope, isSameFilter, reversedFilter } from './filter-body.ts';

/** A count takes a few milliseconds: it follows a slider, and a new request replaces the previous one. */
const paceMilliseconds = 80;

export interface LiveCount {
  readonly filter: FilterBody;
  readonly hasPlace: boolean;
  /** A complete pair whose first bound is above its second: it is not counted, and the last count stays. */
  readonly reversed: FilterRow | undefined;
  /** Null until counted. */
  readonly answer: ReadOutputOf<'count_properties'> | null;
  /** Whether the answer belongs to the current filter. */
  readonly isCurrent: boolean;
  readonly query: UseQueryResult<ReadOutputOf<'count_properties'>, ClientError>;
}

export function useCount(): LiveCount {
  const { filter } = useStore(explore);
  const paced = askableBody(usePaced(filter, paceMilliseconds));
  const isTyping = useTypedField() !== null;
  const asked = useHeld(paced, reversedFilter(paced) !== undefined);
  // `4` of `40` may lie below the first bound.
  const reversed = isTyping ? undefined : reversedFilter(filter);
  const hasPlace = hasScope(filter);
  const query = useRead(
    'count_properties',
    { filter: asked as LiveFilter },
    { when: hasScope(asked) && !reversedFilter(asked) },
  );
  const isCurrent = isSameFilter(asked, filter) && !query.isPlaceholderData && query.isSuccess;
  return { filter, hasPlace, reversed, answer: hasPlace ? (query.data ?? null) : null, isCurrent, query };
}
