/** Beside the look at a layer: what it holds, and the settings of its kind. */

import { type LayerSettingField, layerSettingFields, roadClassFields } from '../../engine/spec/layer-settings.ts';
import { isMapOnly, layerTitles } from '../../engine/spec/layer-titles.ts';
import { Select } from '../parts/select.tsx';
import { Tick } from '../parts/tick.tsx';
import { useStore } from '../state/store.ts';
import { AsideField, Choice, columnOptions } from './fields.tsx';
import { importing, mainLayer } from './import-state.ts';

export function LayerKindSection() {
  const { layerKind, coversCounty, isMeant } = useStore(importing);
  const isDrawn = isMapOnly(layerKind);
  return (
    <section>
      <h3>What the layer holds</h3>
      <label className="field">
        <span className="sr">Kind of layer</span>
        <Select
          value={layerKind}
          options={Object.entries(layerTitles).map(([value, label]) => ({ value, label }))}
          onChange={(kind) => importing.set({ layerKind: kind })}
        />
      </label>
      {isDrawn ? <LookFields /> : null}
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
  const { layerKind, layerTexts: texts } = useStore(importing);
  const fields: readonly SettingLine[] = [
    ...(layerKind === 'roads'
      ? [{ name: 'roadColumn', label: 'Column of the class', input: 'column', hint: 'MTFCC or highway' } as const]
      : []),
    ...(texts.roadColumn
      ? roadClassFields.map((field) => ({ ...field, input: 'words', hint: 'values, …' }) as const)
      : []),
    ...layerSettingFields.filter(({ kinds }) => (kinds as readonly string[]).includes(layerKind)),
  ];
  return (
    <details>
      <summary>Settings</summary>
      {fields.map((field) => (
        <SettingField key={field.name} field={field} />
      ))}
    </details>
  );
}

type SettingLine = Pick<LayerSettingField, 'label' | 'input' | 'hint' | 'choices'> & { readonly name: string };

function SettingField({ field: { name, label, input, hint, choices } }: { field: SettingLine }) {
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
