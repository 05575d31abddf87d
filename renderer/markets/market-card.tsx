/** One market: its region, its numbers for the chosen range of lot sizes, its place and status. */
import { Ellipsis, GripVertical, Import } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { KeyboardEvent, PointerEvent } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { formatDate, formatNumber } from '../parts/format.ts';
import { LaterItem, Menu, MenuCaption, MenuSeparator } from '../parts/menu.tsx';
import { PricedButton } from '../parts/priced-button.tsx';
import { goTo } from '../state/navigation.ts';
import { usePrice, usePricedCall } from '../state/priced-call.ts';

export type Market = ReadOutputOf<'market_board'>['markets'][number];
type Numbers = NonNullable<Market['numbers']>['buckets'][string];

interface MarketCardProps {
  readonly market: Market;
  readonly bucket: string;
  readonly columns: readonly string[];
  readonly isHeld: boolean;
  readonly onKeyDown: (event: KeyboardEvent<HTMLLIElement>) => void;
  readonly onGrab: (event: PointerEvent<HTMLElement>) => void;
  readonly onStatus: (status: string) => void;
  readonly onStep: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

export const regionTitle = ({ type, name }: Market['region']): string => (type === 'zip' ? `ZIP ${name}` : name);

/** `ZZ, 99001`; for a ZIP `Alder County, ZZ`. */
const regionWords = ({ type, state, fips, county_name: county }: Market['region']): string =>
  fips === '' ? 'county unknown' : type === 'county' ? `${state}, ${fips}` : `${county}, ${state}`;

export function MarketCard(props: MarketCardProps) {
  const { market, bucket, isHeld, onKeyDown, onGrab } = props;
  const { region, numbers } = market;
  const shown = numbers?.buckets[bucket];
  return (
    <li
      className="market"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the card itself; its menu does the same
      tabIndex={0}
      data-market={market.id}
      data-held={isHeld}
      aria-roledescription="card"
      aria-describedby="market-keys"
      onKeyDown={onKeyDown}
    >
      {/* Users who cannot drag have the keys and the menu. */}
      <div className="market-head" onPointerDown={onGrab}>
        <span className="grip" aria-hidden>
          <GripVertical className="small" />
        </span>
        <div className="grow">
          <b>{regionTitle(region)}</b>
          <span className="quietest small-text num">{regionWords(region)}</span>
        </div>
        <CardMenu {...props} />
      </div>
      {shown && region.type === 'zip' ? (
        <p className="quietest small-text none">Numbers of all {region.county_name}</p>
      ) : null}
      {shown ? <NumberLines numbers={shown} /> : <Nothing market={market} />}
      {region.fips === '' ? null : <CardFoot market={market} />}
    </li>
  );
}

function Nothing({ market: { region, has_comps: hasComps } }: { market: Market }) {
  if (region.fips === '') return <p className="quieter none">None of its parcels is on this computer any more.</p>;
  if (!hasComps)
    return <p className="quieter none">No sales or listings of {region.county_name} are on this computer.</p>;
  return <p className="quieter none">No numbers yet.</p>;
}

const lines: readonly {
  readonly label: string;
  readonly unit: string;
  readonly of: (numbers: Numbers) => string | null;
  /** Shown instead of an undefined number. */
  readonly without: string;
}[] = [
  {
    label: 'Median sold',
    unit: '$/ac',
    of: ({ median_sold_ppa: price }) => (price === null ? null : formatNumber(price, 0)),
    without: 'none sold',
  },
  { label: 'Sold, 12 months', unit: '', of: ({ sold_count: count }) => formatNumber(count), without: '' },
  { label: 'Active now', unit: '', of: ({ active_count: count }) => formatNumber(count), without: '' },
  {
    label: 'Sell-through',
    unit: '%',
    of: ({ sell_through_rate: rate }) => (rate === null ? null : formatNumber(100 * rate, 0)),
    without: 'none active',
  },
  {
    label: 'Supply',
    unit: 'months',
    of: ({ months_of_supply: months }) => (months === null ? null : formatNumber(months, 1)),
    without: 'none sold',
  },
];

const NumberLines = ({ numbers }: { numbers: Numbers }) => (
  <dl>
    {lines.map(({ label, unit, of, without }) => {
      const text = of(numbers);
      return (
        <div key={label}>
          <dt>{label}</dt>
          {text === null ? (
            <dd className="null">{without}</dd>
          ) : (
            <dd>
              <span className="value">{text}</span>
              <span className="unit">{unit}</span>
            </dd>
          )}
        </div>
      );
    })}
  </dl>
);

function CardFoot({ market: { region, numbers, has_comps: hasComps } }: { market: Market }) {
  const price = usePrice('get_market_stats');
  const { press, isRunning, error } = usePricedCall('get_market_stats', { fips: region.fips }, [['market_board']]);
  if (!hasComps && !numbers) {
    return (
      <div className="market-foot">
        <button type="button" className="button full" onClick={() => goTo('import')}>
          <Import aria-hidden />
          Import sales
        </button>
      </div>
    );
  }
  return (
    <div className="market-foot">
      {numbers ? (
        <>
          <span className="small-text quietest grow">{formatDate(numbers.asked_at)}</span>
          <span className="quiet-priced small-text">
            <PricedButton label="Refresh" price={price} isRunning={isRunning} onPress={press} />
          </span>
        </>
      ) : (
        <div className="grow">
          <span className="full-priced">
            <PricedButton label="Market numbers" price={price} isRunning={isRunning} onPress={press} />
          </span>
          {region.type === 'zip' ? (
            <p className="small-text quietest">The numbers are of all {region.county_name}.</p>
          ) : null}
        </div>
      )}
      {error ? (
        <p className="problem" role="alert">
          {error.message}
        </p>
      ) : null}
    </div>
  );
}

function CardMenu({ market, columns, onStatus, onStep, onRemove }: MarketCardProps) {
  return (
    <Menu label={`Status and more of ${regionTitle(market.region)}`} face={<Ellipsis aria-hidden />}>
      <MenuCaption>Status</MenuCaption>
      <DropdownMenu.RadioGroup value={market.status} onValueChange={(status) => setTimeout(() => onStatus(status), 0)}>
        {columns.map((status) => (
          <DropdownMenu.RadioItem key={status} value={status} className="menu-item">
            <span className="box">
              <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
            </span>
            {status}
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <MenuSeparator />
      <LaterItem onSelect={() => onStep(-1)}>Move up</LaterItem>
      <LaterItem onSelect={() => onStep(1)}>Move down</LaterItem>
      <MenuSeparator />
      <LaterItem onSelect={onRemove}>Remove from the board</LaterItem>
    </Menu>
  );
}
