/** Settings: the window's appearance and controls. Stored on this computer, by this window alone. */
import type { ReactNode } from 'react';
import { unitSystems } from '../../map/units.ts';
import { Segments } from '../../parts/segments.tsx';
import { densities, settings, themes } from '../../state/settings.ts';
import { useStore } from '../../state/store.ts';

const choices = <Value extends string>(values: readonly Value[]) => values.map((value) => ({ value, label: value }));

interface ChoiceLineProps<Value extends string> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: Value;
  readonly values: readonly Value[];
  readonly onChange: (value: Value) => void;
}

const ChoiceLine = <Value extends string>({ label, hint, value, values, onChange }: ChoiceLineProps<Value>) => (
  <div>
    <span>
      {label} {hint === undefined ? null : <span className="quietest">{hint}</span>}
    </span>
    <Segments label={label} value={value} choices={choices(values)} onChange={onChange} />
  </div>
);

export function LooksPart() {
  const { theme, density, letters, units } = useStore(settings);
  return (
    <section className="option-lines" aria-label="Looks">
      <h2>Looks</h2>
      <ChoiceLine label="Theme" value={theme} values={themes} onChange={(next) => settings.set({ theme: next })} />
      <ChoiceLine
        label="Rows and controls"
        value={density}
        values={densities}
        onChange={(next) => settings.set({ density: next })}
      />
      <ChoiceLine
        label="The map measures in"
        hint="(U)"
        value={units}
        values={unitSystems}
        onChange={(next) => settings.set({ units: next })}
      />
      <ChoiceLine
        label="Single letters are shortcuts"
        hint="(F, M, T …)"
        value={letters ? 'on' : 'off'}
        values={['on', 'off']}
        onChange={(next) => settings.set({ letters: next === 'on' })}
      />
    </section>
  );
}
