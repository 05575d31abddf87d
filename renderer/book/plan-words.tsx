/** How large the book will be, and how well its names will fit. */
import { bytesWords } from '../../engine/spec/bytes-words.ts';
import { formatNumber, formatPercent, plural } from '../parts/format.ts';
import { ErrorState } from '../parts/states.tsx';
import { useLate } from '../state/client-context.tsx';
import type { BookPlan, UsedPlan } from './use-book-plan.ts';

export function PlanWords({ used: { plan, error, isCurrent, retry } }: { used: UsedPlan }) {
  const isSlow = useLate(!isCurrent && !error);
  if (error) {
    return (
      <div className="section">
        {error.code === 'validation_error' ? (
          <p role="alert">{error.message}</p>
        ) : (
          <ErrorState title="The pages could not be planned" error={error} onRetry={retry} />
        )}
      </div>
    );
  }
  if (!plan) return null;
  return (
    <section className="section book-plan" aria-label="Estimate" aria-busy={isSlow} data-current={isCurrent}>
      <p aria-live="polite">
        <b className="strong">{plural(plan.map_pages, 'map page', 'map pages')}</b> at 1:{formatNumber(plan.scale)}
        {plan.detail_pages > 0 ? `, about ${plural(plan.detail_pages, 'detail', 'details')}` : ''}
      </p>
      <p className="quieter">
        {formatNumber(plan.parcels)} parcels: about {formatPercent(Math.round(100 * (1 - plan.numbered_share)))} of
        holdings get their name; the others a red number and a line in the list of small parcels.
      </p>
    </section>
  );
}

/** `About 85 pages, 3 MB, in 6 seconds` */
export const sizeWords = ({ pages, bytes, seconds }: BookPlan): string => {
  const time =
    seconds < 90 ? plural(seconds, 'second', 'seconds') : `${formatNumber(Math.round(seconds / 60))} minutes`;
  return `About ${plural(pages, 'page', 'pages')}, ${bytesWords(bytes)}, in ${time}`;
};
