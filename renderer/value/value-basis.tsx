/** What the value rests on: two opinions, the known lean of values here, the parts of its error, and offers at a risk. */
import {
  errorParts,
  figuresWithin,
  levelSentence,
  offersSentence,
  offerWords,
  opinionsSentence,
  type ValueOpinions,
} from '../../engine/spec/value-terms.ts';
import { formatMoney, formatPercent, keepPercents } from '../parts/format.ts';
import { rounded, type ShownValue } from './value-words.ts';

/** Nothing for values stored before there were two opinions. */
export function ValueBasis({ value }: { value: ShownValue }) {
  const { opinions, error_shares: shares, offers } = value;
  if (opinions === undefined || shares === undefined || offers === undefined) return null;
  return (
    <div className="value-three">
      <Opinions opinions={opinions} test={value.test} />
      <section className="value-section" aria-labelledby="error-title">
        <div className="section-title">
          <h3 id="error-title">Why a range this wide</h3>
        </div>
        <ul className="error-shares">
          {shares.map(({ part, share }) => (
            <li key={part}>
              <span className="bar" aria-hidden>
                <i className="fill" style={{ width: `${100 * share}%` }} />
              </span>
              <span className="num n">{formatPercent(100 * share, 0)}</span>
              <span>{errorParts[part]}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className="value-section" aria-labelledby="offers-title">
        <div className="section-title">
          <h3 id="offers-title">Offers at a chosen risk</h3>
        </div>
        {offers.length === 0 ? <p>{offersSentence(offers, value.range)}</p> : null}
        <ul className="offers">
          {offers.map(({ risk, price }) => (
            <li key={risk}>
              <b className="num medium n">{formatMoney(rounded(price, figuresWithin(value.range)))}</b>
              <span className="quieter">{offerWords(risk)}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const Opinions = ({ opinions, test }: { opinions: ValueOpinions | null; test: ShownValue['test'] }) => (
  <section className="value-section" aria-labelledby="opinions-title">
    <div className="section-title">
      <h3 id="opinions-title">{opinions && opinions.share > 0 ? 'Two opinions' : 'One opinion'}</h3>
    </div>
    <p>{keepPercents(opinionsSentence(opinions))}</p>
    {opinions === null ? null : <p className="quieter after">{keepPercents(levelSentence(opinions, test) ?? '')}</p>}
  </section>
);
