/** What a reader must know before the number. */
import { TriangleAlert } from 'lucide-react';
import { countyLines, warningSentence } from '../../engine/spec/value-warnings.ts';
import { keepPercents } from '../parts/format.ts';
import { miles, type ShownValue } from './value-words.ts';

export function ValueWarnings({ value: { warnings = [] } }: { value: ShownValue }) {
  if (warnings.length === 0) return null;
  return (
    <section className="note warn value-warnings" aria-label="Know first">
      <TriangleAlert aria-hidden />
      <ul>
        {warnings.map((warning) => (
          <li key={warning.code}>{keepPercents(warningSentence(warning, miles))}</li>
        ))}
      </ul>
    </section>
  );
}

/** The county's own value of the land beside ours, where no warning tells it. */
export function CountyLine({ value: { numbers, county, warnings } }: { value: ShownValue }) {
  return countyLines(numbers.mean_adjusted_price, county, warnings).map((line) => (
    <p key={line} className="quieter num">
      {line}
    </p>
  ));
}
