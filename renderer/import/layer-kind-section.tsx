/** Beside the look at a layer: what it holds, and the settings of its kind. */

import {
  type LayerSettingField,
  layerSettingFields,
  roadTextsOf,
  roadValueField,
} from '../../engine/spec/layer-settings.ts';
import { isMapOnly, layerTitles } from '../../engine/spec/layer-titles.ts';
import { proposeRoadClasses, type RoadClassesProposed, roadClassWords } from '../../engine/spec/road-words.ts';
import { Select } from '../parts/select.tsx';
import { Tick } from '../parts/tick.tsx';
import { useStore } from '../state/store.ts';
import { AsideField, Choice, columnOptions } from './fields.tsx';
import { importing, mainLayer, startTexts } from './import-state.ts';

export function LayerKindSection() {
  const state = useStore(importing);
  const { layerKind, coversCounty, isMeant } = state;
  const isDrawn = isMapOnly(layerKind);
  return (
    <section>
      <h3>What the layer holds</h3>
      <label className="field">
        <span className="sr">Kind of layer</span>
        <Select
          value={layerKind}
          options={Object.entries(layerTitles).map(([value, label]) => ({ value, label }))}
          onChange={(kind) =>
            importing.set({ layerKind: kind, layerTexts: startTexts(kind, mainLayer(state)?.columns) })
          }
        />
      </label>
      {isDrawn ? <LookFields /> : null}
      {layerKind === 'roads' ? <RoadClasses /> : null}
      {layerKind === 'slope' || isDrawn ? null : (
        <Tick
          label="The file covers the whole county"
          isOn={coversCounty}
          onChange={(isOn) => importing.set({ coversCounty: isOn })}
        />
      )}
      {layerKind === 'slope' || isDrawn ? null : (
        <Tick
          label={layerKind === 'roads' ? 'Treat every line as a local road' : 'Use it all the same'}
          isOn={isMeant}
          onChange={(isOn) => importing.set({ isMeant: isOn })}
        />
      )}
      {isDrawn ? null : <LayerSettings />}
    </section>
  );
}

/** How a layer that is only drawn looks; its first field must be filled. */
function LookFields() {
  const { layerTitle, layerTexts } = useStore(importing);
  const fields = layerSettingFields.filter(
    ({ name, kinds }) => kinds.includes('other') && (name !== 'color' || layerTexts.look === 'plain'),
  );
  return (
    <>
      {fields.map((field) => (
        <SettingField key={field.name} field={field} />
      ))}
      <AsideField label="Title on the map">
        <input
          value={layerTitle}
          placeholder="the name of the file"
          onChange={(event) => importing.set({ layerTitle: event.target.value })}
        />
      </AsideField>
    </>
  );
}

/** The settings of the command line, for the kind that was chosen. */
function LayerSettings() {
  const { layerKind } = useStore(importing);
  const fields = layerSettingFields.filter(({ kinds }) => (kinds as readonly string[]).includes(layerKind));
  return (
    <details>
      <summary>Settings</summary>
      {fields.map((field) => (
        <SettingField key={field.name} field={field} />
      ))}
    </details>
  );
}

const classChoices = Object.entries(roadClassWords).map(([value, { label }]) => ({ value, label }));

/** Which column says the class of a road, and what each of its values is: proposed, to be looked at. */
function RoadClasses() {
  const state = useStore(importing);
  const columns = mainLayer(state)?.columns ?? [];
  const proposed = proposeRoadClasses(columns);
  // MTFCC and highway need no table.
  if (proposed === null || columns.length === 0) return null;
  const column = state.layerTexts.roadColumn ?? '';
  const chosen = proposed.find((one) => one.column === column);
  const take = (name: string) => {
    const one = proposed.find((other) => other.column === name);
    importing.set({
      layerTexts: { ...withoutRoads(state.layerTexts), ...(one ? roadTextsOf(one) : { roadColumn: '' }) },
    });
  };
  const options = proposed.map((one) => ({ value: one.column, label: one.column }));
  return (
    <>
      <Choice
        label="Column of the class"
        value={column}
        choices={[{ value: '', label: 'none: all are local roads' }, ...options]}
        onChange={take}
      />
      {chosen?.values.map((one) => (
        <RoadValue key={one.value} {...one} />
      ))}
      {chosen ? <p className="quieter">Lots that only front what is no public road count as landlocked.</p> : null}
    </>
  );
}

function RoadValue({ value, count, isKnown }: RoadClassesProposed['values'][number]) {
  const { layerTexts } = useStore(importing);
  const name = roadValueField(value);
  return (
    <Choice
      label={`${value} · ${count.toLocaleString('en-US')}${isKnown ? '' : ' · your choice'}`}
      value={layerTexts[name] ?? 'local'}
      choices={classChoices}
      onChange={(word) => importing.set({ layerTexts: { ...layerTexts, [name]: word } })}
    />
  );
}

const withoutRoads = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => name !== 'roadColumn' && !name.startsWith('class:')));

function SettingField({ field: { name, label, input, hint, choices } }: { field: LayerSettingField }) {
  const state = useStore(importing);
  const value = state.layerTexts[name] ?? '';
  const set = (text: string) => importing.set({ layerTexts: { ...state.layerTexts, [name]: text } });
  if (input !== 'column' && input !== 'choice')
    return (
      <AsideField label={label}>
        <input value={value} placeholder={hint} onChange={(event) => set(event.target.value)} />
      </AsideField>
    );
  const options =
    input === 'choice'
      ? Object.entries(choices ?? {}).map(([one, words]) => ({ value: one, label: words }))
      : columnOptions(mainLayer(state)?.columns);
  return <Choice label={label} value={value} choices={[{ value: '', label: hint }, ...options]} onChange={set} />;
}
