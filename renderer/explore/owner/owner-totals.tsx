/** Acres, holdings and value of an owner by county and town. */
import { formatMoney, formatNumber } from '../../parts/format.ts';
import { acresWords, letterOf, type OwnerCardData } from './use-owner.ts';

export function OwnerTotals({ card: { totals, value_is: kind, pieces } }: { card: OwnerCardData }) {
  return (
    <section className="owner-totals" aria-label="Totals">
      <h3>
        Totals <span className="quieter">a holding is land in one piece, also across a road</span>
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll, also by keyboard */}
      <section className="owner-table" tabIndex={0} aria-label="Totals by county and town">
        <table>
          <thead>
            <tr>
              <th scope="col">County, town</th>
              <th scope="col">Parcels</th>
              <th scope="col">Acres</th>
              <th scope="col">Holdings</th>
              <th scope="col">{kind === 'market' ? 'Market value' : 'Assessed value'}</th>
            </tr>
          </thead>
          <tbody>
            {totals.map(({ fips, county_name: county, town, parcels, acres, holdings, value }) => (
              <tr key={`${fips} ${town}`} className={town === null ? 'of-county' : ''}>
                <th scope="row">{town === null ? `${county ?? 'no county'} ${fips}` : town || 'town not published'}</th>
                <td>{formatNumber(parcels)}</td>
                <td>{acres === null ? 'unknown' : formatNumber(acres, 1)}</td>
                <td>{formatNumber(holdings)}</td>
                <td>{value === null ? 'not published' : formatMoney(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="small-text quieter num">
        {pieces
          .slice(0, 12)
          .map(({ acres }, at) => `${letterOf(at)} ${acresWords(acres)}`)
          .join(' · ')}
        {pieces.length > 12 ? ` and ${formatNumber(pieces.length - 12)} smaller holdings` : ''}
      </p>
    </section>
  );
}
