/** No parcel passes all filters: shows which removes most, with one click to relax it. */
import { firstOf } from '../../engine/spec/counted.ts';
import { titleOf } from '../../engine/spec/filter-sentence.ts';
import { filtersByName } from '../../engine/spec/filters.ts';
import { formatNumber, plural } from '../parts/format.ts';
import { useStore } from '../state/store.ts';
import { explore, removeFilter, setFields, setUnknownMode, showFilter } from './explore-state.ts';
import { activeFilters, type FilterBody, unknownMode } from './filter-body.ts';
import type { LiveCount } from './use-count.ts';
import { useWords } from './use-words.ts';
import { useWorkPhrases } from './work-section.tsx';

const shownFilters = 3;
const shownValues = 5;

const numberWords = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function filterWords(count: number): string {
  if (count === 1) return 'this filter';
  return count === 2 ? 'both filters' : `all ${numberWords[count] ?? count} filters`;
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

interface NamedFilter {
  readonly title: string;
  readonly remove: () => void;
}

/** Every filter of the body except the place, including the user's own work, by the name in the count. */
function useNamedFilters(filter: FilterBody): ReadonlyMap<string, NamedFilter> {
  const words = useWords();
  const work = useWorkPhrases(filter);
  const ofParcels = activeFilters(filter)
    .filter((row) => !row.scope)
    .map((row) => [row.name, { title: titleOf(row, filter, words), remove: () => removeFilter(row.name) }] as const);
  const ofWork = work.map(
    ({ field, text }) => [field, { title: text, remove: () => setFields({ [field]: undefined }) }] as const,
  );
  return new Map<string, NamedFilter>([...ofParcels, ...ofWork]);
}

export function NothingFound({ live }: { live: LiveCount }) {
  const { filter } = useStore(explore);
  const named = useNamedFilters(filter);
  // The effects of another filter would name filters that this one lacks.
  const effects = ((live.isCurrent && live.answer?.filters) || [])
    .toSorted((a, b) => b.removes - a.removes)
    .flatMap((effect) => {
      const one = named.get(effect.name);
      return one && effect.removes > 0 ? [{ ...effect, ...one }] : [];
    });
  const shown = effects.slice(0, shownFilters);
  const unmatched = (live.isCurrent && live.answer?.unmatched) || [];
  const most = shown[0];
  return (
    <div className="state left scroll">
      <h3>Nothing found</h3>
      <Sentence
        filter={filter}
        count={named.size}
        canRelax={shown.length > 0}
        isCurrent={live.isCurrent}
        isExplained={unmatched.length > 0}
      />
      {unmatched.map(({ name, values }) => (
        <p key={name}>{unmatchedText(name, values)}</p>
      ))}
      <ul className="relax">
        {shown.map(({ name, title, removes, remove }) => (
          <li key={name}>
            <span className="grow">{capitalized(title)}</span>
            <span className="bar">
              <i style={{ width: `${(100 * removes) / (most?.removes ?? 1)}%` }} />
            </span>
            <span className="num">+{formatNumber(removes)}</span>
            <button type="button" className="button" onClick={remove}>
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

/** What no parcel of the counties has: a misspelt code, a ZIP that lies elsewhere. */
function unmatchedText(name: string, values: readonly string[]): string {
  const label = filtersByName.get(name)?.label ?? name;
  const words = firstOf(values, shownValues);
  return `${label}: no parcel that is loaded here ${words === '' ? 'lies in it' : `matches ${words}`}.`;
}

interface SentenceProps {
  readonly filter: FilterBody;
  /** Number of filters besides the place. */
  readonly count: number;
  /** Whether removing one of them alone leaves any parcel. */
  readonly canRelax: boolean;
  readonly isCurrent: boolean;
  /** Whether the lines below name what no parcel has. */
  readonly isExplained: boolean;
}

function Sentence({ filter, count, canRelax, isCurrent, isExplained }: SentenceProps) {
  const words = useWords();
  if (count === 0 || (count === 1 && isCurrent && !canRelax)) {
    return (
      <p>
        No parcel lies in this place{count === 1 ? ', with this filter or without it' : ''}.{' '}
        <button type="button" className="link" onClick={() => showFilter('county')}>
          Choose another place
        </button>
      </p>
    );
  }
  const place = typeof filter.county === 'string' ? words.countyName(filter.county) : 'this place';
  const one = count === 1 ? 'it' : 'one';
  const rest = canRelax
    ? `Taking ${one} away leaves:`
    : isCurrent && !isExplained
      ? 'Taking one away leaves nothing either: relax two or more of them.'
      : '';
  return (
    <p>
      No parcel in {place} meets {filterWords(count)}. {rest}
    </p>
  );
}
