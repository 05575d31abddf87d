/** The four prices of a comp value. */
import { copyText } from '../parts/clipboard.ts';
import { formatMoney } from '../parts/format.ts';
import { perAcreText, type ShownValue } from './value-words.ts';

/** Under their API names. */
export const fourNumbers = [
  { name: 'mean_adjusted_price', label: 'Adjusted price', isPerAcre: false, isKey: true },
  { name: 'mean_adjusted_ppa', label: 'Adjusted per acre', isPerAcre: true, isKey: true },
  { name: 'mean_price', label: 'Average price, unadjusted', isPerAcre: false, isKey: false },
  { name: 'mean_ppa', label: 'Average per acre, unadjusted', isPerAcre: true, isKey: false },
] as const;

export const FourNumbers = ({
  numbers,
}: {
  numbers: Pick<ShownValue['numbers'], (typeof fourNumbers)[number]['name']>;
}) => (
  <dl className="four-numbers">
    {fourNumbers.map(({ name, label, isPerAcre, isKey }) => (
      <div key={name} data-key={isKey}>
        <dt>{label}</dt>
        <dd className="num">
          <button
            type="button"
            className="plain"
            title={`Copy ${label.toLowerCase()}`}
            onClick={() => copyText(String(numbers[name]), `${label} copied`)}
          >
            {isPerAcre ? `$${perAcreText(numbers[name])}` : formatMoney(numbers[name])}
            {isPerAcre ? <span className="unit">/ac</span> : null}
          </button>
        </dd>
      </div>
    ))}
  </dl>
);
