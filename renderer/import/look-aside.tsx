/** Beside the look: where it lies, and of what county, town and day it is. */
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { layerTitles } from '../../engine/spec/layer-titles.ts';
import { Tick } from '../parts/tick.tsx';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { CountyField, countyWords } from './county-field.tsx';
import { systemWords } from './file-words.ts';
import { lookAtChosen } from './import-flow.ts';
import { importing, mainLayer } from './import-state.ts';
import { WhereItLies } from './where-it-lies.tsx';

type Place = ReadOutputOf<'county_place'>;

export function LookAside({ place }: { place: Place | null }) {
  const state = useStore(importing);
  const { what, fips, layerKind, coversCounty } = state;
  const layer = mainLayer(state);
  return (
    <aside className="import-aside scroll" aria-label="Where it lies and whose it is">
      {what === 'layer' ? (
        <section>
          <h3>What the layer holds</h3>
          <label className="field">
            <span className="sr">Kind of layer</span>
            <select value={layerKind} onChange={(event) => importing.set({ layerKind: event.target.value })}>
              {Object.entries(layerTitles).map(([kind, title]) => (
                <option key={kind} value={kind}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          {layerKind === 'slope' ? null : (
            <Tick
              label="The file covers the whole county"
              isOn={coversCounty}
              onChange={(isOn) => importing.set({ coversCounty: isOn })}
            />
          )}
        </section>
      ) : null}
      {what === 'contacts' ? null : (
        <section>
          <h3>Where it lies</h3>
          <WhereItLies fips={fips} bounds={layer?.bounds ?? null} />
          <p className="quieter">{placeWords(place, layer)}</p>
          <div className="aside-field">
            <span className="quieter">County</span>
            <CountyField county={place?.county ?? null} onChange={(code) => importing.set({ fips: code })} />
          </div>
          {what === 'parcels' ? <ManyCounties /> : null}
        </section>
      )}
      <section>
        <h3>Source and date</h3>
        {what === 'parcels' ? (
          <Text label="Town" name="jurisdiction" hint="where several assess in one county" />
        ) : null}
        <Text label="Source" name="source" hint="the names of the files" />
        {what === 'contacts' ? null : <Text label="Date of the data" name="date" hint="from the file" type="date" />}
      </section>
      {layer && layer.format !== 'geojson' && (what === 'parcels' || what === 'layer') ? (
        <SystemField isUnknown={layer.system === null} />
      ) : null}
    </aside>
  );
}

function placeWords(place: Place | null, layer: ReturnType<typeof mainLayer>): string {
  const turned = layer?.system?.code === 4326 ? '' : ', turned to WGS84';
  const system = layer?.system ? ` ${systemWords(layer.system)}${turned}.` : '';
  if (!place?.county || !place.lies)
    return layer?.bounds ? system.trim() : 'What the file holds says nothing of its place.';
  const name = countyWords(place.county);
  if (place.lies === 'inside') return `Inside ${name}.${system}`;
  if (place.lies === 'beside') return `Reaches into ${name}, its middle lies outside.${system}`;
  return `Not in ${name}.`;
}

function Text({
  label,
  name,
  hint,
  type = 'text',
}: {
  label: string;
  name: 'jurisdiction' | 'source' | 'date';
  hint: string;
  type?: string;
}) {
  const value = useStore(importing)[name];
  return (
    <label className="aside-field">
      <span className="quieter">{label}</span>
      <span className="field">
        <input
          type={type}
          value={value}
          placeholder={hint}
          onChange={(event) => importing.set({ [name]: event.target.value })}
        />
      </span>
    </label>
  );
}

/** Statewide files: a column says which county each row is of. */
function ManyCounties() {
  const state = useStore(importing);
  const columns = mainLayer(state)?.columns ?? [];
  if (columns.length === 0) return null;
  return (
    <label className="aside-field">
      <span className="quieter">Of several counties, named by</span>
      <span className="field">
        <select value={state.countyColumn} onChange={(event) => importing.set({ countyColumn: event.target.value })}>
          <option value="">one county only</option>
          {columns.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}

function SystemField({ isUnknown }: { isUnknown: boolean }) {
  const client = useClient();
  const { crs } = useStore(importing);
  const [text, setText] = useState(crs);
  const say = () => {
    if (text.trim() === crs) return;
    importing.set({ crs: text.trim() });
    void lookAtChosen(client);
  };
  return (
    <section>
      <h3>{isUnknown ? 'The file names no coordinate system' : 'Another coordinate system'}</h3>
      <label className="aside-field">
        <span className="quieter">In place of what the file says</span>
        <span className="field">
          <input
            value={text}
            placeholder="EPSG:2823"
            onChange={(event) => setText(event.target.value)}
            onBlur={say}
            onKeyDown={(event) => event.key === 'Enter' && say()}
          />
        </span>
      </label>
    </section>
  );
}
