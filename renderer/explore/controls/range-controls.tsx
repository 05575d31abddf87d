/** Numbers and dates: a pair with a histogram, one bound alone, and the pair about slopes as a sentence. */

import { Slider } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { slopeEdgesPercent } from '../../../engine/spec/parcel-columns.ts';
import { isoFromDate } from '../../../engine/spec/value-schemas.ts';
import { formatNumber } from '../../parts/format.ts';
import { NumberField } from '../../parts/number-field.tsx';
import { Select } from '../../parts/select.tsx';
import { useTypedField } from '../../parts/typing.ts';
import { useRead } from '../../state/client-context.tsx';
import { setFields } from '../explore-state.ts';
import { hasScope, scopeBody, unitOf } from '../filter-body.ts';
import { labelOf } from '../panel-sections.ts';
import { ControlFrame, type ControlProps, usePanel } from './control-frame.tsx';

const isPercent = (row: ControlProps['row']) => unitOf(row) === '%' && row.name !== 'mortgage_interest_rate';

const numberLimits = (row: ControlProps['row']) => ({
  ...(isPercent(row) ? { minimum: 0, maximum: 100 } : {}),
  ...('whole' in row && row.whole ? { isWhole: true } : {}),
});

export function RangeControl({ row }: ControlProps) {
  const { filter } = usePanel();
  const names = [`${row.name}_min`, `${row.name}_max`] as const;
  const [low, high] = names.map((name) => filter[name] as number | undefined);
  const label = labelOf(row);
  const isTitled = row.name === 'acres';
  const isTyping = useTypedField() !== null;
  const isReversed = !isTyping && low !== undefined && high !== undefined && low > high;
  return (
    <ControlFrame row={row}>
      {isTitled ? null : <span className="control-label">{label}</span>}
      <HistogramSlider row={row} low={low} high={high} />
      <div className="pair">
        <NumberField
          label={`${label} from`}
          value={low}
          unit={unitOf(row)}
          {...numberLimits(row)}
          onChange={(value) => setFields({ [names[0]]: value })}
        />
        <span className="quietest">to</span>
        <NumberField
          label={`${label} to`}
          value={high}
          unit={unitOf(row)}
          {...numberLimits(row)}
          onChange={(value) => setFields({ [names[1]]: value })}
        />
      </div>
      {isReversed ? <p className="problem">The first is above the second.</p> : null}
    </ControlFrame>
  );
}

export function BoundControl({ row }: ControlProps) {
  const { filter } = usePanel();
  const field = row.kind === 'min' ? `${row.name}_min` : `${row.name}_max`;
  return (
    <ControlFrame row={row}>
      <div className="control-line">
        <span>{row.kind === 'min' ? `${labelOf(row)}, at least` : labelOf(row)}</span>
        <NumberField
          label={labelOf(row)}
          value={filter[field] as number | undefined}
          unit={unitOf(row)}
          {...numberLimits(row)}
          onChange={(value) => setFields({ [field]: value })}
        />
      </div>
    </ControlFrame>
  );
}

type Histogram = ReadOutputOf<'histogram'>;

/** Loaded when first visible: a county has a dozen, and most are never scrolled to. */
function HistogramSlider({ row, low, high }: ControlProps & { low: number | undefined; high: number | undefined }) {
  const { filter } = usePanel();
  const [isSeen, setSeen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && setSeen(true));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const scope = scopeBody(filter);
  const { data } = useRead(
    'histogram',
    { filter: scope, name: row.name },
    { when: isSeen && hasScope(scope), isLasting: true },
  );
  return (
    <div className="histogram" ref={place}>
      {data && data.edges.length > 1 ? <Bars row={row} data={data} low={low} high={high} /> : null}
    </div>
  );
}

/** Index of the edge nearest to a bound; the ends if there is none. */
function edgeAt({ edges }: Histogram, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  const above = edges.findIndex((edge) => edge >= value);
  if (above <= 0) return above === 0 ? 0 : edges.length - 1;
  const [before = 0, after = 0] = [edges[above - 1], edges[above]];
  return value - before < after - value ? above - 1 : above;
}

function Bars({
  row,
  data,
  low,
  high,
}: ControlProps & { data: Histogram; low: number | undefined; high: number | undefined }) {
  const last = data.edges.length - 1;
  const [from, to] = [edgeAt(data, low, 0), edgeAt(data, high, last)];
  const tallest = Math.max(1, ...data.all);
  const isAsked = low !== undefined || high !== undefined;
  /** Edges of integers may be fractions. */
  const boundAt = (edge: number, round: (value: number) => number) =>
    'whole' in row && row.whole ? round(data.edges[edge] ?? 0) : data.edges[edge];
  const commit = ([first = 0, second = last]: number[]) =>
    setFields({
      [`${row.name}_min`]: first === 0 ? undefined : boundAt(first, Math.ceil),
      [`${row.name}_max`]: second === last ? undefined : boundAt(second, Math.floor),
    });
  return (
    <>
      <svg className="bars" viewBox={`0 0 ${last * 10} 36`} preserveAspectRatio="none" aria-hidden="true">
        {data.all.map((count, i) => {
          // A bar of one parcel must be visible; the square root keeps the tail readable beside the peak.
          const height = count === 0 ? 0 : Math.max(1.5, Math.sqrt(count / tallest) * 31);
          const isOn = isAsked && i >= from && i < to;
          return (
            <rect
              key={data.edges[i]}
              className={isOn ? 'on' : ''}
              x={i * 10 + 0.5}
              y={33 - height}
              width={9}
              height={height}
            />
          );
        })}
        <path className="axis" d={`M0 33.5H${last * 10}`} />
      </svg>
      <Slider.Root
        className="slider"
        min={0}
        max={last}
        step={1}
        value={[Math.min(from, to), Math.max(from, to)]}
        onValueChange={commit}
      >
        <Slider.Track />
        {['from', 'to'].map((side, i) => (
          <Slider.Thumb
            key={side}
            className="slider-thumb"
            aria-label={`${labelOf(row)} ${side}, on the histogram`}
            aria-valuetext={`${formatNumber(data.edges[i === 0 ? from : to] ?? 0)} ${unitOf(row) ?? ''}`}
          />
        ))}
      </Slider.Root>
    </>
  );
}

const compact = (iso: string): string | undefined => (iso === '' ? undefined : iso.replaceAll('-', ''));
const isoOf = (value: unknown): string => (value === undefined ? '' : (isoFromDate(String(value)) ?? ''));

export function DateRangeControl({ row }: ControlProps) {
  const { filter } = usePanel();
  return (
    <ControlFrame row={row}>
      <span className="control-label">{labelOf(row)}, from and to</span>
      <div className="dates">
        {(['min', 'max'] as const).map((side) => (
          <label key={side} className="field">
            <input
              type="date"
              aria-label={`${labelOf(row)} ${side === 'min' ? 'from' : 'to'}`}
              value={isoOf(filter[`${row.name}_${side}`])}
              onChange={(event) => setFields({ [`${row.name}_${side}`]: compact(event.target.value) })}
            />
          </label>
        ))}
      </div>
    </ControlFrame>
  );
}

/** "At most 10 % of the area steeper than 15 %": both together, or neither. */
export function SlopeControl({ row }: ControlProps) {
  const { filter } = usePanel();
  const index = filter.slope_area_index as number | undefined;
  const steep = 15;
  return (
    <ControlFrame row={row}>
      <div className="slope">
        At most
        <NumberField
          label="Percent of the area that may be steeper"
          value={filter.slope_area_percent as number | undefined}
          unit="%"
          placeholder="any"
          minimum={0}
          maximum={100}
          onChange={(percent) =>
            setFields({
              slope_area_percent: percent,
              slope_area_index: percent === undefined ? undefined : (index ?? slopeEdgesPercent.indexOf(steep)),
            })
          }
        />
        of the area steeper than
        <label className="field wide">
          <Select
            aria-label="Steeper than, percent grade"
            value={index ?? slopeEdgesPercent.indexOf(steep)}
            options={slopeEdgesPercent.map((edge, value) => ({ value, label: `${edge} %` }))}
            onChange={(chosen) => setFields({ slope_area_index: Number(chosen) })}
          />
        </label>
      </div>
    </ControlFrame>
  );
}
