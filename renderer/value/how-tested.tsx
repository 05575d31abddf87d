/** The backtest of the county, by one click: figures beside the assessors' standard, rows by size, use and year, offers. */

import { type TestDetail, testFigures } from '../../engine/spec/value-terms.ts';
import { formatNumber, formatPercent } from '../parts/format.ts';
import { PopoverButton } from '../parts/popover-button.tsx';
import type { ShownValue } from './value-words.ts';

export const HowTested = ({ test }: { test: ShownValue['test'] }) => (
  <PopoverButton face="How it was tested" button="link" label="How it was tested" className={test ? 'test-detail' : ''}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
    <section className="test-scroll" tabIndex={0} aria-label="The test">
      <p>
        Each of the newest sales of this county (up to 300) was valued as if it had not happened yet: from the sales
        before it alone, with its own parcel hidden. Nominal prices and other transfers that are not market sales were
        left out first.
      </p>
      <p className="small-text quieter">
        “Half within” is the middle error: half of the values came closer to the price that was paid, half did not.
        {test?.method === 'local'
          ? ' Tested by the comps alone: too few sales are held back to test the model of the market.'
          : null}
      </p>
      {test ? <Detail detail={test.detail} /> : null}
    </section>
  </PopoverButton>
);

const Detail = ({ detail: { figures, strata, offers } }: { detail: TestDetail }) => (
  <>
    <table className="test-table">
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col" className="n">
            Here
          </th>
          <th scope="col" className="n">
            90 % interval
          </th>
          <th scope="col" className="n">
            Standard wants
          </th>
        </tr>
      </thead>
      <tbody>
        {figures.map(({ name, value, low, high }) => {
          const { label, docs, wants, digits } = testFigures[name];
          return (
            <tr key={name} title={docs}>
              <td>{label}</td>
              <td className="n strong">{formatNumber(value, digits)}</td>
              <td className="n quieter">{`${formatNumber(low, digits)} to ${formatNumber(high, digits)}`}</td>
              <td className="n quieter">{wants}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
    <table className="test-table">
      <thead>
        <tr>
          <th scope="col">Sales of</th>
          {['Sales', 'Median ratio', 'Half within', 'COD'].map((head) => (
            <th key={head} scope="col" className="n">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {strata.map(({ by, label, sales, median, half_within: half, cod }, i) => (
          <tr key={`${by} ${label}`} className={i > 0 && strata[i - 1]?.by !== by ? 'group-start' : undefined}>
            <td>{label}</td>
            <td className="n quieter">{formatNumber(sales)}</td>
            <td className="n">{median.toFixed(2)}</td>
            <td className="n">{formatPercent(half, 0)}</td>
            <td className="n quieter">{cod.toFixed(1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p className="small-text quieter">
      Of 100 sales {offers.map(({ risk }) => risk).join(', ')} should have been for less than these offers;{' '}
      {offers.map(({ below }) => formatNumber(below, 0)).join(', ')} were.
    </p>
  </>
);
