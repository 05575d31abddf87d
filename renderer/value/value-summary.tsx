/** The stored value in two lines, above the facts of the parcel. */
import { explore } from '../explore/explore-state.ts';
import { useRead } from '../state/client-context.tsx';
import { confidenceOf, formatDay, rangeWords } from './value-words.ts';

export function ValueSummary({ propertyId }: { propertyId: number }) {
  const { data } = useRead('stored_value', { id: propertyId }, { isLasting: true });
  if (!data?.stored) return null;
  const { value, valued_at: at } = data.stored;
  const confidence = confidenceOf(value);
  return (
    <section className="value-summary" aria-label="Value">
      <span className="small-text quieter">Value, {formatDay(at)}</span>
      <span className={`tag ${confidence === 'good' ? 'ok' : confidence === 'low' ? 'warn' : ''}`}>
        {confidence} confidence
      </span>
      <b className="num">{rangeWords(value.range)}</b>
      <button type="button" className="button quiet" onClick={() => explore.set({ detailTab: 'value' })}>
        Why<kbd aria-hidden>V</kbd>
      </button>
    </section>
  );
}
