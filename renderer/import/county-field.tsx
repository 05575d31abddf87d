/** A county by its name or FIPS code. */
import { useState } from 'react';
import { useCombo } from '../parts/combo.ts';
import { useRead, useRested } from '../state/client-context.tsx';

interface Offer {
  readonly fips: string;
  readonly name: string;
  readonly state: string;
}

export const countyWords = ({ name, state, fips }: Offer): string => `${name}, ${state} ${fips}`;

export function CountyField({ county, onChange }: { county: Offer | null; onChange: (fips: string | null) => void }) {
  const [text, setText] = useState<string | null>(null);
  const words = useRested(text ?? '', 120);
  const { data, isPlaceholderData } = useRead('county_place', { words }, { when: words.trim() !== '' });
  const offers = data?.found ?? [];
  const combo = useCombo({
    offers,
    // Offer results for the current text only: Enter would take one for an older text.
    canOpen: words.trim() !== '' && words === text && data !== undefined && !isPlaceholderData,
    onTake: ({ fips }) => {
      onChange(fips);
      setText(null);
      combo.close();
    },
  });
  return (
    <div className="search county-field">
      <div className="field">
        <input
          {...combo.inputProps}
          aria-label="County"
          placeholder="Name or FIPS code"
          value={text ?? (county ? countyWords(county) : '')}
          onChange={(event) => {
            setText(event.target.value);
            combo.open();
          }}
          onBlur={() => {
            combo.close();
            setText(null);
          }}
          onKeyDown={combo.press}
        />
      </div>
      {combo.isShown ? (
        <div className="menu" {...combo.listProps('Counties')}>
          {offers.map((offer, i) => (
            <div key={offer.fips} {...combo.optionProps(offer, i)}>
              {offer.name}, {offer.state}
              <span className="end num">{offer.fips}</span>
            </div>
          ))}
          {offers.length === 0 ? <p className="menu-caption">No county of that name</p> : null}
        </div>
      ) : null}
    </div>
  );
}
