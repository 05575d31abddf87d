/** The tiers of a rule: lines to read, of which one at a time is edited. */
import { Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { type OfferBasis, offerBases } from '../../engine/spec/mailings.ts';
import { formatMoney, formatNumber, plural } from '../parts/format.ts';
import { IconButton } from '../parts/hint.tsx';
import { NumberField } from '../parts/number-field.tsx';
import { Segments } from '../parts/segments.tsx';
import type { OfferRule, Tier } from './mailing-state.ts';

const basisWords: Readonly<Record<OfferBasis, string>> = { low: 'low', middle: 'mid', high: 'high', acre: 'acre' };

export const acresWords = ({ acres_from: from, acres_to: to }: Tier): string =>
  to === null
    ? from === 0
      ? 'any'
      : `${formatNumber(from)} and more`
    : `${formatNumber(from)} to ${formatNumber(to)}`;

interface TierRowsProps {
  readonly rule: OfferRule;
  /** Letters of each tier, by its place. */
  readonly letters: readonly number[];
  /** Absent: the letters are written. */
  readonly onChange?: ((tiers: readonly Tier[]) => void) | undefined;
}

export function TierRows({ rule: { tiers }, letters, onChange }: TierRowsProps) {
  const [edited, setEdited] = useState<number | null>(null);
  const change = (place: number, more: Partial<Tier>) =>
    onChange?.(tiers.map((tier, i) => (i === place ? { ...tier, ...more } : tier)));
  const add = () => {
    const last = tiers.at(-1);
    // The last one ends where the new one begins.
    const from = last ? (last.acres_to ?? Math.max(10, 2 * last.acres_from)) : 0;
    const before = tiers.map((tier) => (tier === last ? { ...tier, acres_to: from } : tier));
    onChange?.([...before, { of: 'low', amount: 45, ...last, acres_from: from, acres_to: null }]);
    setEdited(tiers.length);
  };
  return (
    <>
      <table className="tiers">
        <thead>
          <tr>
            <th>Acres</th>
            <th>Of</th>
            <th className="n">%</th>
            <th className="n">Letters</th>
          </tr>
        </thead>
        <tbody>
          {tiers.map((tier, place) =>
            place === edited && onChange ? (
              <EditedTier
                // biome-ignore lint/suspicious/noArrayIndexKey: a tier is its place
                key={place}
                tier={tier}
                letters={letters[place] ?? 0}
                onChange={(more) => change(place, more)}
                onDone={() => setEdited(null)}
                onRemove={
                  tiers.length > 1
                    ? () => {
                        setEdited(null);
                        onChange(tiers.filter((_, i) => i !== place));
                      }
                    : undefined
                }
              />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <tr key={place} data-editable={onChange !== undefined} onClick={() => onChange && setEdited(place)}>
                <td className="num nowrap">
                  {onChange ? (
                    <button
                      type="button"
                      className="tier-button"
                      aria-label={`Edit the offer of ${acresWords(tier)} acres`}
                    >
                      {acresWords(tier)}
                    </button>
                  ) : (
                    acresWords(tier)
                  )}
                </td>
                <td>{basisWords[tier.of]}</td>
                <td className="n">{tier.of === 'acre' ? formatMoney(tier.amount) : formatNumber(tier.amount)}</td>
                <td className="n quieter">{formatNumber(letters[place] ?? 0)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      {onChange ? (
        <button type="button" className="button quiet add-tier" onClick={add}>
          <Plus aria-hidden />
          Add a tier
        </button>
      ) : null}
    </>
  );
}

interface EditedProps {
  readonly tier: Tier;
  readonly letters: number;
  readonly onChange: (more: Partial<Tier>) => void;
  readonly onDone: () => void;
  readonly onRemove: (() => void) | undefined;
}

function EditedTier({ tier, letters, onChange, onDone, onRemove }: EditedProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // The window's own Escape would leave the mailing.
    event.stopPropagation();
    onDone();
  };
  return (
    <tr className="edited-tier" onKeyDown={onKeyDown}>
      <td colSpan={4}>
        <div className="line">
          <NumberField
            label="Acres from"
            value={tier.acres_from}
            minimum={0}
            isRequired
            onChange={(from) => from !== undefined && onChange({ acres_from: from })}
          />
          <span className="quieter">to</span>
          <NumberField
            label="Acres to"
            value={tier.acres_to ?? undefined}
            placeholder="any"
            unit="ac"
            minimum={0}
            onChange={(to) => onChange({ acres_to: to ?? null })}
          />
          {onRemove ? (
            <IconButton label="Remove the tier" onPress={onRemove}>
              <Trash2 aria-hidden />
            </IconButton>
          ) : null}
        </div>
        <div className="line">
          <Segments
            label="Offer of"
            value={tier.of}
            choices={offerBases.map((value) => ({ value, label: basisWords[value] }))}
            onChange={(of) => onChange({ of })}
          />
          <NumberField
            label={tier.of === 'acre' ? 'Dollars an acre' : 'Percent'}
            value={tier.amount}
            unit={tier.of === 'acre' ? '$' : '%'}
            maximum={tier.of === 'acre' ? 10_000_000 : 200}
            isRequired
            onChange={(amount) => amount !== undefined && amount > 0 && onChange({ amount })}
          />
        </div>
        <p className="small-text quieter num">
          {plural(letters, 'letter', 'letters')}
          {tier.of === 'acre' ? ', dollars an acre' : `, percent of the value’s ${basisWords[tier.of]}`}
        </p>
      </td>
    </tr>
  );
}
