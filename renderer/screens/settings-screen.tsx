/** How the app looks and behaves, and what it runs on. */
import { Segments } from '../parts/segments.tsx';
import { useRead } from '../state/client-context.tsx';
import { densities, settings, themes } from '../state/settings.ts';
import { useStore } from '../state/store.ts';

const choices = <Value extends string>(values: readonly Value[]) => values.map((value) => ({ value, label: value }));

export function SettingsScreen() {
  const { theme, density, letters } = useStore(settings);
  const { data: home } = useRead('home', {});
  return (
    <section className="page" aria-label="Settings">
      <header className="page-head">
        <h1>Settings</h1>
      </header>
      <div className="scroll">
        <div className="page-body">
          <div className="option-lines">
            <h2>Looks</h2>
            <div>
              <span>Theme</span>
              <Segments
                label="Theme"
                value={theme}
                choices={choices(themes)}
                onChange={(next) => settings.set({ theme: next })}
              />
            </div>
            <div>
              <span>Rows and controls</span>
              <Segments
                label="Rows and controls"
                value={density}
                choices={choices(densities)}
                onChange={(next) => settings.set({ density: next })}
              />
            </div>
            <div>
              <span>
                Single letters are shortcuts <span className="quietest">(F, M, T …)</span>
              </span>
              <Segments
                label="Single letters are shortcuts"
                value={letters ? 'on' : 'off'}
                choices={choices(['on', 'off'])}
                onChange={(next) => settings.set({ letters: next === 'on' })}
              />
            </div>
          </div>
          {home ? (
            <div className="option-lines">
              <h2>Data</h2>
              {home.datasets.map((dataset) => (
                <div key={dataset.dataset_id}>
                  <span>{dataset.source_name}</span>
                  <span className="num quieter">
                    {dataset.fips}, {dataset.source_date}
                  </span>
                </div>
              ))}
              <h2>Versions</h2>
              {Object.entries(home.versions).map(([name, version]) => (
                <div key={name}>
                  <span>{name}</span>
                  <span className="mono">{version}</span>
                </div>
              ))}
            </div>
          ) : null}
        </div>
      </div>
    </section>
  );
}
