/** The classes of the fill over all matches: counted once the filter rests; the previous ones stay meanwhile. */
import { useMemo } from 'react';
import type { LiveFilter } from '../../engine/query/live-request.ts';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { askableBody, type FilterBody, hasScope, scopeBody } from '../explore/filter-body.ts';
import { useRead } from '../state/client-context.tsx';
import { type AttributeFill, type Fill, type FillClass, fillClasses, tagSteps } from './fills.ts';

export interface LegendState {
  readonly limits: readonly number[];
  /** Lightest first. */
  readonly classes: readonly FillClass[];
  readonly unknown: number;
  /** A remark on the classes, or why there are none. */
  readonly note: string | null;
  /** The tags, if lots are filled by them; else null. */
  readonly tags: LegendTags | null;
}

export interface LegendTags {
  /** Tag ids of each line, in the order of the lines. */
  readonly groups: readonly (readonly number[])[];
  /** Steps of the ramp, line by line. */
  readonly steps: readonly number[];
  /** Changes whenever parcels may have other tags. */
  readonly version: number;
}

const nothing: LegendState = { limits: [], classes: [], unknown: 0, note: null, tags: null };

/** Colors of the ramp. */
const mostLines = 5;

export function useLegend(filter: FilterBody, fill: Fill): LegendState {
  const byAttribute = useAttributeLegend(filter, fill.kind === 'tag' ? null : fill);
  const byTag = useTagLegend(filter, fill.kind === 'tag');
  return fill.kind === 'tag' ? byTag : byAttribute;
}

function useAttributeLegend(filter: FilterBody, fill: AttributeFill | null): LegendState {
  const asked = askableBody(filter);
  const how =
    fill?.kind === 'choice'
      ? { values: fill.values.map(([value]) => value) }
      : fill?.limits
        ? { limits: [...fill.limits] }
        : {};
  const { data } = useRead(
    'map_legend',
    { filter: asked as LiveFilter, column: fill?.attribute ?? 'acres', ...how },
    { when: fill !== null && hasScope(asked) },
  );
  if (!data || !fill) return nothing;
  return { ...nothing, limits: data.limits, classes: fillClasses(fill, data), unknown: data.unknown };
}

function useTagLegend(filter: FilterBody, isShown: boolean): LegendState {
  const place = scopeBody(askableBody(filter));
  const { data, dataUpdatedAt: version } = useRead(
    'tag_legend',
    { filter: place as LiveFilter, most: mostLines },
    { when: isShown && hasScope(place), isLasting: true },
  );
  return useMemo(() => (data ? tagLegendState(data, version) : nothing), [data, version]);
}

function tagLegendState({ tags, others, made }: ReadOutputOf<'tag_legend'>, version: number): LegendState {
  const lines = [
    ...tags.map(({ tag_id: id, name, count }) => ({ ids: [id], words: name, count })),
    ...(others.count > 0 ? [{ ids: others.tag_ids, words: 'other tags', count: others.count }] : []),
  ];
  const steps = tagSteps(lines.length);
  const classes = lines.map(({ words, count }, i) => ({ step: steps[i] ?? 0, words, count })).reverse();
  const none = made === 0 ? 'no tags yet: press G on a parcel' : 'no tags here yet: press G on a parcel';
  const several = 'A parcel with several tags has the color of the first of them here.';
  return {
    ...nothing,
    classes,
    note: lines.length === 0 ? none : lines.length > 1 ? several : null,
    tags: { groups: lines.map(({ ids }) => ids), steps, version },
  };
}
