/** For each column that the mapping fills: how many parcels have a value, and a few values. */
import { type FilledReport, fillLines, fillPercent } from '../../engine/spec/import-checks.ts';
import { formatNumber } from '../parts/format.ts';

export function FillTable({ reports }: { reports: readonly FilledReport[] }) {
  const lines = fillLines(reports);
  if (lines.length === 0) return null;
  return (
    <section aria-label="Filled columns">
      <div className="line wrap problem-head">
        <h2>Filled columns</h2>
      </div>
      <div className="boxed">
        <table className="import-table fill-table stacked" data-testid="filled">
          <thead>
            <tr>
              <th>Column</th>
              <th className="n">Filled</th>
              <th className="n">Parcels</th>
              <th>For example</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ column, filled, of, samples }) => (
              <tr key={column}>
                <td className="mono">{column}</td>
                <td className="n">{fillPercent(filled, of)}</td>
                <td className="n quieter">{formatNumber(filled)}</td>
                <td className="quieter ellipsis whole" title={samples.join(' · ')}>
                  {samples.join(' · ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
