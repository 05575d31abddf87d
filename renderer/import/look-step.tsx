/** The files' content before the whole is read: layers, columns, coordinate system, whether they lie in the county. */

import { ArrowRight } from 'lucide-react';
import { useEffect } from 'react';
import { isMapOnly } from '../../engine/spec/layer-titles.ts';
import type { Look, LookedLayer } from '../../engine/work/import-answers.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { formatNumber, plural } from '../parts/format.ts';
import { Select } from '../parts/select.tsx';
import { Tick } from '../parts/tick.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { formatName, systemWords } from './file-words.ts';
import { lookAtChosen, proposeColumns, proposeList, startRun } from './import-flow.ts';
import { fileName, type ImportState, importing, mainLayer, mainLook, tableLooks } from './import-state.ts';
import { LookAside } from './look-aside.tsx';
import { refusalOf } from './look-refusal.ts';
import { groupOf, mappingOf } from './mapping-rows.ts';
import { isOpen, questionsOf } from './open-questions.tsx';
import { Foot, NextButtons, Problem, StepBody } from './parts.tsx';
import { useCountyPlace } from './where-it-lies.tsx';

export function LookStep() {
  const client = useClient();
  const state = useStore(importing);
  const { what, looks, fips, busy } = state;
  const layer = mainLayer(state);
  const place = useCountyPlace(fips, layer?.bounds ?? null, what === 'parcels' ? layer?.places : []);
  // Propose the county where the file lies, until the user chooses one.
  const found = place?.at?.fips ?? null;
  useEffect(() => {
    if (importing.get().fips === null && found !== null) importing.set({ fips: found });
  }, [found]);
  const refusal = refusalOf(state, place ?? null);
  const isLast = what === 'layer';
  const { data: home } = useRead('home', {}, { isLasting: true });
  const isFirst = what === 'parcels' && home?.kind === null;
  const isReady = refusal === null && busy === null;
  return (
    <>
      <div className="import-body">
        <StepBody label="What the files hold">
          {refusal ? <Problem error={{ message: refusal }} /> : null}
          <RollTick />
          {looks.map((look) => (
            <Looked key={look.path} look={look} isJoined={tableLooks(state).includes(look)} />
          ))}
        </StepBody>
        <LookAside place={place ?? null} />
      </div>
      <Foot
        back={
          <button type="button" className="button quiet" onClick={() => importing.set({ step: 'choose', error: null })}>
            Back
          </button>
        }
        words={
          isLast
            ? 'Cancelling leaves everything as it is.'
            : isFirst
              ? 'Import it takes the columns as they seem to be, and stops where it is unsure. It can be undone.'
              : 'Nothing is written before the run.'
        }
      >
        <NextButtons
          isReady={isReady}
          beside={
            isFirst ? (
              <button type="button" className="button" disabled={!isReady} onClick={() => void importAsItIs(client)}>
                Import it
              </button>
            ) : null
          }
          onNext={() => void (isLast ? startRun : what === 'parcels' ? proposeColumns : proposeList)(client)}
        >
          <ArrowRight aria-hidden />
          {isLast ? (isMapOnly(state.layerKind) ? 'Draw it on the map' : 'Complete the parcels') : 'Map the columns'}
        </NextButtons>
      </Foot>
    </>
  );
}

/** Nothing in the mapping waits for the user. */
const isSure = (state: ImportState): boolean =>
  state.rows.some(({ target }) => target === 'apn') &&
  !state.rows.some((row) => groupOf(row) === 'needs') &&
  !questionsOf(state).some((question) => isOpen(state, question)) &&
  mappingOf(state) !== null;

/** An empty home has nothing that an import could replace, and it can be undone: no dry run. Stops at what is unsure. */
async function importAsItIs(client: EngineClient): Promise<void> {
  await proposeColumns(client);
  const state = importing.get();
  if (state.step === 'map' && state.busy === null && isSure(state)) await startRun(client);
}

/** For a table alone: its rows may be parcels of their own. */
function RollTick() {
  const client = useClient();
  const { what, looks, withoutShapes } = useStore(importing);
  const isTableAlone = looks.length > 0 && looks.every(({ kind }) => kind === 'table');
  if (what !== 'parcels' || !(isTableAlone || withoutShapes)) return null;
  return (
    <Tick
      label="Its rows are parcels without shapes: in lists and filters, not on the map"
      isOn={withoutShapes}
      onChange={(isOn) => {
        importing.set({ withoutShapes: isOn });
        void lookAtChosen(client);
      }}
    />
  );
}

function Looked({ look, isJoined }: { look: Look; isJoined: boolean }) {
  const state = useStore(importing);
  const isMain = mainLook(state) === look;
  const layer = isMain ? mainLayer(state) : (look.layers[0] ?? null);
  return (
    <section className="looked" aria-label={fileName(look.path)}>
      <div className="line wrap">
        <h2>{fileName(look.path)}</h2>
        {isJoined ? <span className="tag accent">joined to the parcels</span> : null}
        {look.kind === 'table' && !isJoined && (state.what === 'parcels' || state.what === 'layer') ? (
          <span className="tag">table without shapes</span>
        ) : null}
      </div>
      {look.layers.length > 1 ? (
        <label className="line layer-line">
          <span className="quieter">Layer</span>
          <span className="field">
            <Select
              value={layer?.name ?? ''}
              options={look.layers.map(({ name, rows }) => ({
                value: name,
                label: rows === null ? name : `${name}, ${formatNumber(rows)} rows`,
              }))}
              onChange={(name) => importing.set({ layer: name })}
            />
          </span>
        </label>
      ) : null}
      {layer ? (
        <LayerFacts
          layer={layer}
          isMain={isMain}
          leftOut={state.what === 'parcels' || look.kind === 'table' ? layer.leftOut : null}
        />
      ) : (
        <p className="quieter">Elevation is read when the parcels are completed.</p>
      )}
    </section>
  );
}

/** Problems of the chosen layer come first. */
function LayerFacts({ layer, isMain, leftOut }: { layer: LookedLayer; isMain: boolean; leftOut: string | null }) {
  const { format, rows, columns, encoding, system } = layer;
  const facts = [
    formatName(format),
    layer.problem ? null : rows === null ? 'more than 1,000 rows' : plural(rows, 'row', 'rows'),
    columns.length === 0 ? null : plural(columns.length, 'column', 'columns'),
    system ? systemWords(system) : null,
    encoding || null,
    leftOut ? `${leftOut} left out` : null,
  ].filter((fact) => fact !== null);
  return (
    <>
      <p className="quieter">{facts.join(' · ')}</p>
      {layer.problem && !isMain ? <Problem error={{ message: layer.problem }} /> : null}
      {columns.length > 0 ? <ColumnsTable columns={columns} /> : null}
    </>
  );
}

const ColumnsTable = ({ columns }: Pick<LookedLayer, 'columns'>) => (
  <div className="boxed">
    <table className="import-table look-table stacked">
      <thead>
        <tr>
          <th>Column</th>
          <th>Type</th>
          <th>Samples</th>
        </tr>
      </thead>
      <tbody>
        {columns.map(({ name, type, samples }) => (
          <tr key={name}>
            <td className="mono">{name}</td>
            <td className="quieter">{type}</td>
            <td className="quieter num ellipsis whole" title={samples.join(' · ')}>
              {samples.length === 0 ? <span className="null">empty in the first rows</span> : samples.join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
