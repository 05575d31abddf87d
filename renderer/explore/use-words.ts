/** Names for the codes of a filter: counties of the home, land uses of the county's file. */
import { useMemo } from 'react';
import { choiceWords } from '../../engine/spec/choice-words.ts';
import type { Words } from '../../engine/spec/filter-sentence.ts';
import { useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { explore } from './explore-state.ts';
import { hasScope, scopeBody } from './filter-body.ts';

export function useWords(): Words {
  const { filter } = useStore(explore);
  const { data: home } = useRead('home', {}, { isLasting: true });
  const scope = scopeBody(filter);
  const { data: uses } = useRead(
    'facet',
    { filter: scope, name: 'land_use_codes', limit: 500 },
    { when: hasScope(scope) && filter.land_use_codes !== undefined, isLasting: true },
  );
  const landUses = useMemo(() => choiceWords(uses?.values ?? []), [uses]);
  return useMemo(
    () => ({
      countyName: (fips) => home?.counties.find((county) => county.fips === fips)?.name ?? `county ${fips}`,
      valueLabel: (name, value) => (name === 'land_use_codes' ? (landUses.get(value) ?? value) : value),
    }),
    [home, landUses],
  );
}
