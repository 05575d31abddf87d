/** A value is a range first; then its confidence in a word, and how such values performed in this county. */
import { FlaskConical } from 'lucide-react';
import { formatNumber } from '../parts/format.ts';
import { HowTested } from './how-tested.tsx';
import { RangeBar } from './range-bar.tsx';
import { basisWords, confidenceOf, confidences, rangeWords, type ShownValue } from './value-words.ts';

export const ValueHero = ({ value }: { value: ShownValue }) => (
  <section className="value-hero" aria-label="Value">
    <div>
      <p className="range-caption small-text quieter num">
        <span>
          Range for {formatNumber(value.acres, 2)} {value.acres_are} acres
        </span>
        <span className="quietest">two sales in three like this one fell inside</span>
      </p>
      <p className="range num" data-testid="range">
        {rangeWords(value.range)}
      </p>
      <RangeBar value={value} />
    </div>
    <Confidence value={value} />
  </section>
);

function Confidence({ value }: { value: ShownValue }) {
  const confidence = confidenceOf(value);
  return (
    <div className="value-confidence">
      <div className="line">
        <h3>{`${confidence.charAt(0).toUpperCase()}${confidence.slice(1)} confidence`}</h3>
        <span className="grow" />
        <span className="num quieter">
          {formatNumber(value.numbers.confidence_score, 0)} <span className="quietest">of 100</span>
          <span className="quietest"> (95 is the highest that a value can reach)</span>
        </span>
      </div>
      <div className="meter" aria-hidden="true">
        {confidences.map((each) => (
          <i key={each} data-on={each === confidence}>
            {each}
          </i>
        ))}
      </div>
      <p>{basisWords(value)}</p>
      <p className="tested">
        <FlaskConical aria-hidden />
        <span>
          <Emphasized text={value.tested} />. <HowTested test={value.test} />
        </span>
      </p>
    </div>
  );
}

/** Emphasizes the sentence's numbers, and keeps each beside its unit. */
const Emphasized = ({ text }: { text: string }) => (
  <>
    {text.split(/(\d+ sales?|\d+ %(?: (?:low|high))?)/).map((part, i) =>
      i % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence keep their places
        <b key={i} className="medium nowrap">
          {part.replaceAll(' ', '\u00a0')}
        </b>
      ) : (
        part
      ),
    )}
  </>
);
