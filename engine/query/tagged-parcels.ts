/**
 * Parcels by tag, for the map: tags belong to the user and are in no tile. They are queried as sets of property ids,
 * like the filters over the user's work.
 */
import type { Bounds } from '../geo/geometry.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { LandStore } from '../store/land-store.ts';
import { type LiveRequest, scopeOf } from './live-request.ts';
import { idsInBox } from './live-rows.ts';
import { workTerms } from './work-terms.ts';

interface TagUse {
  readonly tag_id: number;
  readonly name: string;
  readonly count: number;
}

interface TagLegend {
  /** Most used first, then by name; without those that no parcel of the place has. */
  readonly tags: TagUse[];
  /** The remaining used tags, and how many parcels have any of them. */
  readonly others: { readonly tag_ids: number[]; readonly count: number };
  /** All existing tags, used here or not. */
  readonly made: number;
}

const everywhere: Bounds = { minX: -180, minY: -90, maxX: 180, maxY: 90 };

/** The place of a request, limited to parcels with any of these tags. */
const withTags = (request: LiveRequest, account: AccountStore, tags: readonly number[]): LiveRequest => ({
  ...scopeOf(request),
  work: workTerms({ tags }, account),
});

/**
 * Counts parcels with a shape by tag in the place of a request, ignoring its filters: tags keep their order, and so
 * their colors, while the filter changes.
 * @param most maximum of lines: when more tags are used, the last line is the others'
 * @throws EngineError validation_error when the query takes too long
 */
export function tagLegend(land: LandStore, account: AccountStore, request: LiveRequest, most: number): TagLegend {
  const { file } = account;
  const made = file.all<{ tag_id: number; name: string }>('SELECT tag_id, name FROM tags ORDER BY name, tag_id');
  if (made.length === 0) return { tags: [], others: { tag_ids: [], count: 0 }, made: 0 };
  const all = withTags(
    request,
    account,
    made.map(({ tag_id: id }) => id),
  );
  const here = new Set(idsInBox(land, all, everywhere));
  const parcelsOf = new Map<number, number[]>(made.map(({ tag_id: id }) => [id, []]));
  const pairs = file.all<{ tag_id: number; property_id: number }>('SELECT tag_id, property_id FROM parcel_tags');
  for (const pair of pairs) if (here.has(pair.property_id)) parcelsOf.get(pair.tag_id)?.push(pair.property_id);
  const used = made
    .map((tag) => ({ ...tag, count: parcelsOf.get(tag.tag_id)?.length ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const shown = used.length > most ? most - 1 : used.length;
  const others = used.slice(shown).map(({ tag_id: id }) => id);
  const count = new Set(others.flatMap((id) => parcelsOf.get(id) ?? [])).size;
  return { tags: used.slice(0, shown), others: { tag_ids: others, count }, made: made.length };
}

/**
 * The parcels of each group of tags whose own box meets `box` (degrees), ascending. A parcel appears only in the first
 * group it belongs to. A deleted tag has no parcels: the request may be older than the deletion.
 * @throws EngineError validation_error when the query takes too long
 */
export function taggedInBox(
  land: LandStore,
  account: AccountStore,
  request: LiveRequest,
  groups: readonly (readonly number[])[],
  box: Bounds,
): number[][] {
  const made = new Set(account.file.column<number>('SELECT tag_id FROM tags'));
  const given = new Set<number>();
  return groups.map((group) => {
    const tags = group.filter((id) => made.has(id));
    if (tags.length === 0) return [];
    const ids = idsInBox(land, withTags(request, account, tags), box).filter((id) => !given.has(id));
    for (const id of ids) given.add(id);
    return ids;
  });
}
