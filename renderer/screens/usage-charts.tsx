/** Tokens of the period: a bar for each day, and one for each endpoint. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { formatDate, formatNumber } from '../parts/format.ts';
import { actionWords, modeWords } from './usage-words.ts';

type Report = ReadOutputOf<'usage_report'>;
type UsageRecord = Report['breakdown']['records'][number];

const sum = (records: readonly UsageRecord[]): number => records.reduce((total, one) => total + one.tokens_used, 0);

/** Every ISO day from `start` to before `end`, UTC. */
export function daysOf(start: string, end: string): string[] {
  const days: string[] = [];
  const last = Date.parse(end.slice(0, 10));
  for (let day = Date.parse(start.slice(0, 10)); day < last; day += 86_400_000)
    days.push(new Date(day).toISOString().slice(0, 10));
  return days;
}

/** The next of 1, 2, 5, 10, 20 … */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}

const [height, barWidth, gap] = [120, 18, 6];

export function DayBars({ report: { breakdown, today } }: { report: Report }) {
  const { period_start: start, period_end: end, records } = breakdown;
  if (start === null || end === null) return null;
  const days = daysOf(start, end).map((day) => ({ day, tokens: sum(records.filter(({ date }) => date === day)) }));
  const most = roundUp(Math.max(1, ...days.map(({ tokens }) => tokens)));
  const width = days.length * (barWidth + gap);
  const busiest = days.reduce((best, one) => (one.tokens > best.tokens ? one : best));
  const label =
    busiest.tokens === 0
      ? 'Tokens by day: none used in this period'
      : `Tokens by day: most on ${formatDate(busiest.day)}, ${formatNumber(busiest.tokens)}`;
  return (
    <figure className="day-bars">
      <figcaption>By day</figcaption>
      <div className="day-plot">
        <span className="quietest small-text num">{formatNumber(most)}</span>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
          <line x1="0" x2={width} y1="0.5" y2="0.5" className="grid-line" />
          <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} className="base-line" />
          {days.map(({ day, tokens }, i) => {
            const bar = tokens === 0 ? 0 : Math.max(2, (height * tokens) / most);
            return (
              <g key={day}>
                <title>{`${formatDate(day)}: ${formatNumber(tokens)} tokens`}</title>
                <rect className="day-space" x={i * (barWidth + gap)} width={barWidth + gap} height={height} />
                <rect
                  className={day === today ? 'day-bar is-today' : 'day-bar'}
                  data-day={day}
                  data-tokens={tokens}
                  x={i * (barWidth + gap) + gap / 2}
                  y={height - bar}
                  width={barWidth}
                  height={bar}
                />
              </g>
            );
          })}
        </svg>
        <span className="quietest small-text">{formatDate(days[0]?.day ?? start)}</span>
        <span className="quietest small-text">{formatDate(days.at(-1)?.day ?? end)}</span>
      </div>
      <DayTable days={days.filter(({ tokens }) => tokens > 0)} />
    </figure>
  );
}

const DayTable = ({ days }: { days: readonly { day: string; tokens: number }[] }) => (
  <table className="sr">
    <caption>Tokens by day</caption>
    <tbody>
      {days.map(({ day, tokens }) => (
        <tr key={day}>
          <th scope="row">{formatDate(day)}</th>
          <td>{tokens}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** One line for each endpoint and mode, largest first. */
export function EndpointBars({ report: { breakdown, operations } }: { report: Report }) {
  const lines = new Map<string, UsageRecord>();
  for (const record of breakdown.records) {
    const key = `${record.endpoint} ${record.mode}`;
    lines.set(key, { ...record, tokens_used: record.tokens_used + (lines.get(key)?.tokens_used ?? 0) });
  }
  const sorted = [...lines].sort(([, a], [, b]) => b.tokens_used - a.tokens_used);
  const most = sorted[0]?.[1].tokens_used ?? 1;
  if (sorted.length === 0) return null;
  return (
    <table className="plain-table endpoint-bars">
      <caption>By operation</caption>
      <tbody>
        {sorted.map(([key, { endpoint, mode, tokens_used: tokens }]) => (
          <tr key={key}>
            <th scope="row">{actionWords(operations[endpoint] ?? endpoint)}</th>
            <td className="quieter">{modeWords(mode)}</td>
            <td className="wide-cell">
              <span className="bar">
                <i style={{ width: `${(100 * tokens) / most}%` }} />
              </span>
            </td>
            <td className="n" data-endpoint={endpoint} data-mode={mode}>
              {formatNumber(tokens)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
