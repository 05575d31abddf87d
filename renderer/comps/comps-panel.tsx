/** The query for comps: place, then conditions; the count and the priced button at the bottom. */

import { formatNumber, formatTime, plural } from '../parts/format.ts';
import { NumberField } from '../parts/number-field.tsx';
import { PricedButton, PricedRetry } from '../parts/priced-button.tsx';
import { Segments } from '../parts/segments.tsx';
import { Select } from '../parts/select.tsx';
import { ErrorState } from '../parts/states.tsx';
import { Tick } from '../parts/tick.tsx';
import { useLate, useRead } from '../state/client-context.tsx';
import { CenterField } from './center-field.tsx';
import { CompMark, type CompStatus, statusWords } from './comp-mark.tsx';
import { type CompsQuery, maximumMiles } from './comps-query.ts';
import { type Comps, pageRows } from './use-comps.ts';

interface CompsPanelProps {
  readonly query: CompsQuery;
  readonly onChange: (change: Partial<CompsQuery>) => void;
  readonly comps: Comps;
  /** Around a parcel the place is fixed, and only the radius can change. */
  readonly isAroundParcel: boolean;
}

export const CompsPanel = (props: CompsPanelProps) => (
  <section className="pane comps-panel" aria-label="Which comps">
    <div className="scroll">
      <PlaceSection {...props} />
      <KindSection {...props} />
    </div>
    <CompsFoot {...props} />
  </section>
);

const scopes = [
  { value: 'circle', label: 'around a point' },
  { value: 'county', label: 'a county' },
] as const;

function PlaceSection({ query, onChange, isAroundParcel }: CompsPanelProps) {
  const { data: home } = useRead('home', {}, { isLasting: true });
  const isCircle = query.scope === 'circle';
  return (
    <div className="section">
      <span className="strong">Where</span>
      {isAroundParcel ? null : (
        <Segments label="Where" value={query.scope} choices={scopes} onChange={(scope) => onChange({ scope })} />
      )}
      {isCircle && !isAroundParcel ? (
        <CenterField center={query.center} onChange={(center) => onChange({ center })} />
      ) : null}
      {isCircle ? (
        <div className="control-line">
          <span>Radius</span>
          <NumberField
            label="Radius"
            unit="mi"
            value={query.miles}
            isRequired
            minimum={0.1}
            maximum={maximumMiles}
            onChange={(miles) => miles !== undefined && onChange({ miles })}
          />
        </div>
      ) : (
        <label className="field">
          <Select
            aria-label="County"
            value={query.fips ?? ''}
            options={(home?.counties ?? []).map(({ fips, name }) => ({ value: fips, label: `${name} ${fips}` }))}
            onChange={(fips) => onChange({ fips: fips || null })}
          >
            <option value="">Choose a county</option>
          </Select>
        </label>
      )}
    </div>
  );
}

const allStatuses: readonly CompStatus[] = ['SOLD', 'PENDING', 'ACTIVE'];

function KindSection({ query, onChange }: CompsPanelProps) {
  const chosen = query.statuses.length === 0 ? allStatuses : query.statuses;
  const toggle = (status: CompStatus, isOn: boolean) => {
    const next = allStatuses.filter((each) => (each === status ? isOn : chosen.includes(each)));
    onChange({ statuses: next.length === 3 ? [] : next });
  };
  return (
    <div className="section">
      <span className="strong">Which</span>
      <div>
        {allStatuses.map((status) => (
          <Tick
            key={status}
            label={
              <>
                <CompMark status={status} /> {statusWords[status]}
              </>
            }
            isOn={chosen.includes(status)}
            // Keeps the last one: without any, all would be listed.
            disabled={chosen.length === 1 && chosen[0] === status}
            onChange={(isOn) => toggle(status, isOn)}
          />
        ))}
      </div>
      <div className="control-line">
        <span>Sold within</span>
        <NumberField
          label="Sold within months"
          unit="mo"
          isWhole
          minimum={1}
          maximum={1200}
          placeholder="any"
          value={query.soldWithinMonths ?? undefined}
          onChange={(months) => onChange({ soldWithinMonths: months ?? null })}
        />
      </div>
      {query.soldWithinMonths === null ? null : (
        <p className="control-label">Listings have no date of sale and drop out.</p>
      )}
      <span className="control-label">Acres</span>
      <div className="pair">
        <NumberField
          label="Acres from"
          unit="ac"
          minimum={0}
          placeholder="any"
          value={query.acresMin ?? undefined}
          onChange={(acres) => onChange({ acresMin: acres ?? null })}
        />
        <span>to</span>
        <NumberField
          label="Acres to"
          unit="ac"
          minimum={0}
          placeholder="any"
          value={query.acresMax ?? undefined}
          onChange={(acres) => onChange({ acresMax: acres ?? null })}
        />
      </div>
    </div>
  );
}

const sideWords = (count: number | null, isListed: boolean): string => {
  if (count === 0) return '';
  return isListed ? 'listed' : 'counting is free';
};

function CompsFoot({ comps }: CompsPanelProps) {
  const { count, problem, found, error, countError } = comps;
  const isSlow = useLate(problem === null && count === null && countError === null);
  if (error)
    return (
      <div className="pane-foot">
        <ErrorState
          title="The comps were not listed"
          error={error}
          retry={<PricedRetry price={comps.retryTokens} onPress={comps.retry} />}
        />
      </div>
    );
  return (
    <div className="pane-foot">
      <div className="count-line" aria-live="polite">
        {problem === null ? (
          <span data-testid="comps-count" data-current={count !== null}>
            <b>{count === null ? '' : formatNumber(count)}</b> {count === 1 ? 'comp' : 'comps'}
          </span>
        ) : (
          <b>{comps.input === null ? 'No place yet' : 'Not counted'}</b>
        )}
        <span className="small-text quieter">{isSlow ? 'counting …' : sideWords(count, found !== null)}</span>
      </div>
      <CompsButtons comps={comps} />
      <p className="search-note">{countError?.message ?? noteOf(comps)}</p>
    </div>
  );
}

function CompsButtons({ comps }: { comps: Comps }) {
  const { count, tokensEach, found, isRunning, problem } = comps;
  const each = tokensEach ?? 1;
  const first = Math.min(count ?? 0, pageRows);
  const rest = found && found.rows.length % pageRows === 0 ? found.count - found.rows.length : 0;
  const hasMore = count !== null && count > pageRows && found === null;
  const verb = found ? 'List again' : 'Comps';
  return (
    <div className="comps-buttons">
      <PricedButton
        label={verb}
        price={count === null ? (problem === null ? null : 0) : first * each}
        isPrimary={!found && (count ?? 0) > 0}
        isRunning={isRunning}
        disabled={problem !== null}
        focus="comps-button"
        onPress={() => comps.press(first)}
      />
      {hasMore ? (
        <PricedButton label="All" price={count * each} isRunning={isRunning} onPress={() => comps.press(count)} />
      ) : null}
      {rest > 0 ? (
        <PricedButton label="The others" price={rest * each} isRunning={isRunning} onPress={comps.pressRest} />
      ) : null}
    </div>
  );
}

function noteOf({ problem, count, found, input }: Comps): string {
  if (problem !== null) return problem;
  if (found) return `Listed at ${formatTime(found.at)}; that list stays free.`;
  if (count === 0) return 'An empty list costs nothing.';
  if (count === null || count <= pageRows) return '';
  const order = input && 'point' in input ? 'nearest' : 'newest';
  return `${plural(count, 'comp', 'comps')} match: the ${pageRows} ${order}, or all of them.`;
}
