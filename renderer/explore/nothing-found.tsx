/** Nothing meets all filters: which of them removes most, and one click to relax it. */
import { formatNumber, plural } from '../parts/format.ts';
import { useStore } from '../state/store.ts';
import { explore, removeFilter, setUnknownMode } from './explore-state.ts';
import { activeFilters, filterRow, unknownMode } from './filter-body.ts';
import { titleOf } from './sentence.ts';
import type { LiveCount } from './use-count.ts';
import { useWords } from './use-words.ts';

const shownFilters = 3;

const numberWords = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function filterWords(count: number): string {
  if (count === 1) return 'this filter';
  return count === 2 ? 'both filters' : `all ${numberWords[count] ?? count} filters`;
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export function NothingFound({ live }: { live: LiveCount }) {
  const { filter } = useStore(explore);
  const words = useWords();
  const effects = (live.answer?.filters ?? [])
    .toSorted((a, b) => b.removes - a.removes)
    .filter(({ removes }) => removes > 0);
  const shown = effects.slice(0, shownFilters);
  const most = shown[0];
  const place = typeof filter.county === 'string' ? words.countyName(filter.county) : 'this place';
  const count = activeFilters(filter).filter((row) => !row.scope).length;
  return (
    <div className="state left scroll">
      <h3>
        Nothing found <span className="quieter">0 tokens</span>
      </h3>
      <p>
        No parcel in {place} meets {filterWords(count)}.{' '}
        {shown.length > 0
          ? 'Taking one away leaves:'
          : 'Taking one away leaves nothing either: relax two or more of them.'}
      </p>
      <ul className="relax">
        {shown.map(({ name, removes }) => (
          <li key={name}>
            <span className="grow">{capitalized(titleOf(filterRow(name), filter, words))}</span>
            <span className="bar">
              <i style={{ width: `${(100 * removes) / (most?.removes ?? 1)}%` }} />
            </span>
            <span className="num">+{formatNumber(removes)}</span>
            <button type="button" className="button" onClick={() => removeFilter(name)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      {most && most.unknown > 0 && unknownMode(filter, most.name) === 'drop' ? (
        <p className="small-text num">
          Of the {formatNumber(most.removes)}, {plural(most.unknown, 'is', 'are')} unknown.{' '}
          <button type="button" className="link" onClick={() => setUnknownMode(most.name, 'keep')}>
            Keep unknown instead
          </button>
        </p>
      ) : null}
    </div>
  );
}
