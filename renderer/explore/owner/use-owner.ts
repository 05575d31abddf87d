/** The open card of an owner, and its land for the map. */
import { useEffect, useMemo } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import type { MapLot } from '../../map/picked-layers.ts';
import { formatNumber } from '../../parts/format.ts';
import { useRead } from '../../state/client-context.tsx';
import { useStore } from '../../state/store.ts';
import { explore } from '../explore-state.ts';

export type OwnerCardData = ReadOutputOf<'owner_card'>;

/** Owners are worked out in seconds. */
const againMilliseconds = 1000;

export function useOwner(id: number | null) {
  const read = useRead('owner_card', { id: id ?? 0 }, { when: id !== null });
  const { data, refetch } = read;
  const isStale = id !== null && data?.owner.is_current === false;
  useEffect(() => {
    if (!isStale) return;
    const timer = setInterval(() => void refetch(), againMilliseconds);
    return () => clearInterval(timer);
  }, [isStale, refetch]);
  return read;
}

/** A … Z, AA, AB … */
export function letterOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : letterOf(Math.floor(at / 26) - 1) + letter;
}

export const acresWords = (acres: number | null): string =>
  acres === null ? 'acres unknown' : `${formatNumber(acres, 1)} ac`;

/** Null: no card is open. */
export function useOwnerLots(): readonly MapLot[] | null {
  const { ownerOf } = useStore(explore);
  const { data } = useOwner(ownerOf);
  return useMemo(() => (ownerOf === null ? null : data ? lotsOf(data) : []), [ownerOf, data]);
}

function lotsOf({ property_ids: ids, perhaps, pieces }: OwnerCardData): MapLot[] {
  const shown = (as: MapLot['as']) => (id: number) => ({ property_id: id, as, place: null });
  return [
    ...perhaps.flatMap(({ property_ids: related }) => related.map(shown('perhaps'))),
    ...ids.map(shown('own')),
    // The largest is drawn last, above the others.
    ...pieces
      .map(({ parcels, acres, point }, at) => ({
        ...{ property_id: null, as: 'own' as const, place: point, mark: letterOf(at) },
        words: acresWords(acres) + (parcels > 1 ? `, ${formatNumber(parcels)} lots` : ''),
      }))
      .reverse(),
  ];
}
