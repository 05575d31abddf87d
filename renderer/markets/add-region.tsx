/** The field that adds a county or ZIP code: searching is free. */
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { useCombo } from '../parts/combo.ts';
import { formatNumber } from '../parts/format.ts';
import { useClient, useRead, useRested } from '../state/client-context.tsx';
import { toast } from '../state/toasts.ts';
import { makeChange } from '../work/make-change.ts';

type Found = ReadOutputOf<'regions'>['regions'][number];

/** @param status the column it is added to */
export function AddRegion({ status, onAdded }: { status: string; onAdded: (id: number) => void }) {
  const client = useClient();
  const [text, setText] = useState('');
  const asked = useRested(text.trim(), 120);
  const isAsking = asked.length >= 2 && text.trim().length >= 2;
  const { data, isPlaceholderData } = useRead('regions', { search: asked }, { when: isAsking });
  const found = isAsking ? (data?.regions ?? []) : [];
  const add = async (region: Found): Promise<void> => {
    combo.close();
    setText('');
    if (region.is_saved) return void toast(`${region.name} is on the board already.`);
    const done = await makeChange(client, 'save_market', { region_id: region.id, status });
    if (done) onAdded(done.data.id);
  };
  const combo = useCombo<Found>({
    offers: found,
    // Offers results for the current text only: Enter would take one for an older text.
    canOpen: isAsking && asked === text.trim() && data !== undefined && !isPlaceholderData,
    onTake: (region) => void add(region),
  });
  return (
    <div className="add-region">
      <label className="field">
        <Plus aria-hidden />
        <input
          {...combo.inputProps}
          aria-label="Add a region"
          placeholder="Add a county or ZIP"
          data-focus="add-region"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            combo.open();
          }}
          onKeyDown={combo.press}
        />
      </label>
      {combo.isShown ? (
        <div className="menu">
          <div {...combo.listProps('Regions')}>
            {found.map((region, i) => (
              <div key={region.id} {...combo.optionProps(region, i)}>
                <span>{region.type === 'zip' ? `ZIP ${region.name}` : region.name}</span>
                <span className="quietest num">
                  {region.type === 'zip' ? `${region.county_name}, ${region.state}` : `${region.state}, ${region.fips}`}
                </span>
                {region.is_saved ? <span className="end">on the board</span> : null}
              </div>
            ))}
          </div>
          {found.length === 0 ? (
            <p className="menu-caption">No county, and no ZIP of the loaded parcels, begins with this.</p>
          ) : data && data.count > found.length ? (
            <p className="menu-caption">{formatNumber(data.count - found.length)} more: type on.</p>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
