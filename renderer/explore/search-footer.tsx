/** The count, and Search in its four states: no place yet, ready, same as before, nothing to find. */
import { formatNumber, formatTime } from '../parts/format.ts';
import { ErrorState } from '../parts/states.tsx';
import { useLate } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { explore, type LastSearch } from './explore-state.ts';
import { isSameFilter } from './filter-body.ts';
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

function footerOf(live: LiveCount, last: LastSearch | null, price: number | null): Footer {
  const button = 'Search';
  if (!live.hasPlace) {
    const note = 'At least one of county, counties, zips_include, geom_intersects or owner_parcel_id is required.';
    return { head: 'No place yet', side: '', button, tokens: price, note, isDisabled: true, isPrimary: false };
  }
  const { count } = live.answer ?? {};
  if (count === 0 && live.isCurrent) {
    const note = 'An empty search costs nothing.';
    return { head: '0', side: '0 tokens', button, tokens: 0, note, ...quiet };
  }
  const head = count === undefined ? '' : formatNumber(count);
  if (last && isSameFilter(last.filter, live.filter)) {
    const note = `Same filters as at ${formatTime(last.at)}; that result stays free.`;
    return { head, side: 'shown below', button: 'Search again', tokens: price, note, ...quiet };
  }
  const note = last ? `The table still shows ${formatNumber(last.count)} from ${formatTime(last.at)}.` : '';
  return { head, side: 'counting is free', button, tokens: price, note, isDisabled: false, isPrimary: true };
}

export function SearchFooter({ live }: { live: LiveCount }) {
  const search = useSearch(live);
  const { search: last } = useStore(explore);
  const footer = footerOf(live, last, search.price);
  const isSlow = useLate(live.hasPlace && !live.isCurrent && live.query.isFetching);
  if (search.error) {
    return (
      <div className="pane-foot">
        <ErrorState title="The search did not finish" error={search.error} onRetry={search.retry} />
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
  if (live.query.isError && !live.query.isFetching) return <span className="problem">{live.query.error.message}</span>;
  return (
    <span data-current={live.isCurrent} data-testid="count">
      <b>{footer.head}</b> match
    </span>
  );
}

function SearchButton({ footer, search, isBig }: { footer: Footer; search: Search; isBig: boolean }) {
  const look = [footer.isPrimary ? 'primary' : '', isBig ? 'big full' : ''].join(' ');
  return (
    <button
      type="button"
      className={`button ${look}`}
      data-command="search"
      disabled={footer.isDisabled || search.isRunning}
      onClick={search.press}
    >
      {footer.button}
      {footer.tokens === null ? null : <span className="price">{footer.tokens} tokens</span>}
    </button>
  );
}

/** The count in one line, where the panel does not fit. */
export function CountLine({ live }: { live: LiveCount }) {
  const { price } = useSearch(live);
  const { search: last } = useStore(explore);
  return (
    <span className="only-narrow grow">
      <CountWords live={live} footer={footerOf(live, last, price)} />
    </span>
  );
}

/** Search in one line. */
export function SearchLine({ live }: { live: LiveCount }) {
  const search = useSearch(live);
  const { search: last } = useStore(explore);
  return (
    <span className="only-narrow">
      <SearchButton footer={footerOf(live, last, search.price)} search={search} isBig={false} />
    </span>
  );
}
