/** The count, and Search in its five states: no place yet, cannot count, ready, same as before, nothing to find. */
import { formatNumber, formatTime } from '../parts/format.ts';
import { PricedButton, PricedRetry } from '../parts/priced-button.tsx';
import { ErrorState } from '../parts/states.tsx';
import { useIsNarrow } from '../parts/use-window-width.ts';
import { useLate } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { explore, type LastSearch, view } from './explore-state.ts';
import { isSameFilter } from './filter-body.ts';
import { labelOf } from './panel-sections.ts';
import type { LiveCount } from './use-count.ts';
import { type Search, useSearch } from './use-search.ts';

interface Footer {
  readonly head: string;
  readonly side: string;
  readonly button: string;
  readonly tokens: number | null;
  readonly note: string;
  readonly isDisabled: boolean;
  readonly isPrimary: boolean;
}

const quiet = { isDisabled: false, isPrimary: false };

/** A filter that cannot be counted, because its list was deleted for instance, cannot be listed either. */
const cannotCount = ({ query, reversed }: LiveCount): boolean =>
  reversed !== undefined || (query.isError && !query.isFetching);

function footerOf(live: LiveCount, last: LastSearch | null, price: number | null, refused: string | null): Footer {
  const button = 'Search';
  if (refused) {
    const head = live.answer ? formatNumber(live.answer.count) : '';
    return { head, side: 'without it', button, tokens: price, note: refused, isDisabled: true, isPrimary: false };
  }
  if (!live.hasPlace) {
    const note = 'Choose where first: a county, ZIP codes, a drawn area, or the parcels of an owner.';
    return { head: 'No place yet', side: '', button, tokens: price, note, isDisabled: true, isPrimary: false };
  }
  if (cannotCount(live)) {
    const note = 'Search waits until these filters can be counted.';
    return { head: '', side: '', button, tokens: price, note, isDisabled: true, isPrimary: false };
  }
  const { count } = live.answer ?? {};
  if (count === 0 && live.isCurrent) {
    const note = 'An empty search costs nothing.';
    return { head: '0', side: '', button, tokens: 0, note, ...quiet };
  }
  const head = count === undefined ? '' : formatNumber(count);
  if (last && isSameFilter(last.filter, live.filter)) {
    const note = `Nothing has changed since ${formatTime(last.at)}.${price === 0 ? ' Searching again is free.' : ''}`;
    return { head, side: 'shown below', button: 'Search again', tokens: price, note, ...quiet };
  }
  const paid = price === 0 ? 'Paid for before: free. ' : '';
  const note = last ? `${paid}The table still shows ${formatNumber(last.count)} from ${formatTime(last.at)}.` : paid;
  return { head, side: 'counting is free', button, tokens: price, note, isDisabled: false, isPrimary: true };
}

/** If the count fails, Search would fail for the same reason, and the footer says it. */
const hasFailed = (search: Search, live: LiveCount): boolean => search.error !== null && !cannotCount(live);

const SearchFailed = ({ search, price }: { search: Search; price: number | null }) =>
  search.error === null ? null : (
    <ErrorState
      title="The search did not finish"
      error={search.error}
      retry={<PricedRetry price={price} onPress={search.press} />}
    />
  );

export function SearchFooter({ live }: { live: LiveCount }) {
  const search = useSearch();
  const { search: last } = useStore(explore);
  const footer = footerOf(live, last, search.price, search.refused);
  const isSlow = useLate(live.hasPlace && !live.isCurrent && live.query.isFetching);
  if (hasFailed(search, live)) {
    return (
      <div className="pane-foot">
        <SearchFailed search={search} price={footer.tokens} />
      </div>
    );
  }
  return (
    <div className="pane-foot">
      <div className="count-line" aria-live="polite">
        <CountWords live={live} footer={footer} />
        <span className="small-text quieter">{isSlow ? 'counting …' : footer.side}</span>
      </div>
      <SearchButton footer={footer} search={search} isBig />
      <p className="search-note">{footer.note}</p>
    </div>
  );
}

function CountWords({ live, footer }: { live: LiveCount; footer: Footer }) {
  if (!live.hasPlace) return <b>{footer.head}</b>;
  if (cannotCount(live)) return <CannotCount live={live} />;
  return (
    <span data-current={live.isCurrent} data-testid="count">
      <b>{footer.head}</b> match
    </span>
  );
}

function CannotCount({ live: { reversed, query } }: { live: LiveCount }) {
  if (reversed) return <span className="problem">{labelOf(reversed)}: the first is above the second.</span>;
  return (
    <span className="problem">
      {query.error?.message}{' '}
      <button type="button" className="link" onClick={() => void query.refetch()}>
        Count again
      </button>
    </span>
  );
}

const SearchButton = ({ footer, search, isBig }: { footer: Footer; search: Search; isBig: boolean }) => (
  <PricedButton
    label={footer.button}
    price={footer.tokens}
    isPrimary={footer.isPrimary}
    isBig={isBig}
    isRunning={search.isRunning}
    disabled={footer.isDisabled}
    command="search"
    onPress={search.press}
  />
);

/** The count in one line, where the panel does not fit. */
export function CountLine({ live }: { live: LiveCount }) {
  const { price, refused } = useSearch();
  const { search: last } = useStore(explore);
  return (
    <span className="only-narrow grow">
      <CountWords live={live} footer={footerOf(live, last, price, refused)} />
    </span>
  );
}

/** Search in one line. */
export function SearchLine({ live }: { live: LiveCount }) {
  const search = useSearch();
  const { search: last } = useStore(explore);
  return (
    <span className="only-narrow">
      <SearchButton footer={footerOf(live, last, search.price, search.refused)} search={search} isBig={false} />
    </span>
  );
}

/** Below the sentence, if the panel that otherwise shows it is closed. */
export function SearchTrouble({ live }: { live: LiveCount }) {
  const search = useSearch();
  const { search: last } = useStore(explore);
  const { isPanelOpen } = useStore(view);
  const isNarrow = useIsNarrow();
  if (!isNarrow || isPanelOpen || !hasFailed(search, live)) return null;
  return (
    <div className="search-trouble">
      <SearchFailed search={search} price={footerOf(live, last, search.price, search.refused).tokens} />
    </div>
  );
}
