/** Beside the look: where the file's parcels lie, and their county, town and date. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { CountyField, countyWords } from './county-field.tsx';
import { AsideField, Choice, columnOptions, Words } from './fields.tsx';
import { systemSentence } from './file-words.ts';
import { lookAtChosen } from './import-flow.ts';
import { importing, mainLayer } from './import-state.ts';
import { LayerKindSection } from './layer-kind-section.tsx';
import { WhereItLies } from './where-it-lies.tsx';

type Place = ReadOutputOf<'county_place'>;

export function LookAside({ place }: { place: Place | null }) {
  const state = useStore(importing);
  const { what, fips, chosen } = state;
  const layer = mainLayer(state);
  return (
    <aside className="import-aside scroll" aria-label="Where it lies and whose it is">
      {what === 'layer' ? <LayerKindSection /> : null}
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
        <h3>{what === 'contacts' ? 'Source' : 'Source and date'}</h3>
        {what === 'parcels' ? <Text label="Town" name="jurisdiction" hint="where towns assess" /> : null}
        <Text
          label="Source"
          name="source"
          hint={chosen.length > 1 ? 'the names of the files' : 'the name of the file'}
        />
        {what === 'contacts' ? null : <Text label="Date of the data" name="date" hint="from the file" type="date" />}
      </section>
      <HeadingsField />
      {layer && (what === 'parcels' || what === 'layer') ? <ReadingFields layer={layer} /> : null}
    </aside>
  );
}

function placeWords(place: Place | null, layer: ReturnType<typeof mainLayer>): string {
  const system = systemSentence(layer?.system ?? null);
  if (!place?.county || !place.lies) return layer?.bounds ? system.trim() : 'The file does not say where it lies.';
  const name = countyWords(place.county);
  if (place.lies === 'inside') return `Inside ${name}.${system}`;
  if (place.lies === 'beside') return `Reaches into ${name}, its middle lies outside.${system}`;
  return `Not in ${name}.`;
}

interface TextProps {
  readonly label: string;
  readonly name: 'jurisdiction' | 'source' | 'date';
  readonly hint: string;
  readonly type?: string;
}

const Text = ({ label, name, hint, type = 'text' }: TextProps) => (
  <AsideField label={label}>
    <input
      type={type}
      value={useStore(importing)[name]}
      placeholder={hint}
      onChange={(event) => importing.set({ [name]: event.target.value })}
    />
  </AsideField>
);

/** Statewide files: the column that names each row's county. */
function ManyCounties() {
  const state = useStore(importing);
  const columns = mainLayer(state)?.columns ?? [];
  if (columns.length === 0) return null;
  return (
    <Choice
      label="Column that names the county"
      value={state.countyColumn}
      choices={[{ value: '', label: 'one county only' }, ...columnOptions(columns)]}
      onChange={(countyColumn) => importing.set({ countyColumn })}
    />
  );
}

/** Titles above the headings may be taken for them. */
function HeadingsField() {
  const client = useClient();
  const { headerRow, looks } = useStore(importing);
  const say = (text: string) => {
    const row = /^\d{1,4}$/.test(text.trim()) ? Number(text) : null;
    if (row === headerRow) return;
    importing.set({ headerRow: row });
    void lookAtChosen(client);
  };
  if (!looks.some(({ layers }) => layers.some(({ format }) => format === 'csv' || format === 'xlsx'))) return null;
  return (
    <section>
      <h3>Headings</h3>
      <Words
        label="They stand in row"
        value={headerRow === null ? '' : String(headerRow)}
        hint="found by itself"
        isNumber
        onKeep={say}
      />
    </section>
  );
}

const ReadingFields = ({ layer }: { layer: NonNullable<ReturnType<typeof mainLayer>> }) => (
  <>
    {layer.format === 'geojson' ? null : (
      <ReadingField
        heading={layer.system === null ? 'The file names no coordinate system' : 'In place of what the file says'}
        label="Coordinate system"
        name="crs"
        hint="EPSG:2823"
      />
    )}
    <ReadingField heading="Only some rows" label="Rows where" name="where" hint="TYPE = 'Taxlot'" />
  </>
);

interface ReadingFieldProps {
  readonly heading: string;
  readonly label: string;
  readonly name: 'crs' | 'where';
  readonly hint: string;
}

/** How the file is read: what is said here looks at it anew. */
function ReadingField({ heading, label, name, hint }: ReadingFieldProps) {
  const client = useClient();
  const value = useStore(importing)[name];
  const say = (text: string) => {
    if (text.trim() === value) return;
    importing.set({ [name]: text.trim() });
    void lookAtChosen(client);
  };
  return (
    <section>
      <h3>{heading}</h3>
      <Words label={label} value={value} hint={hint} onKeep={say} />
    </section>
  );
}
