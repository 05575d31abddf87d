/** One line of the mapping, with its rule editor below. */
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { fillPercent } from '../../engine/spec/import-checks.ts';
import { parcelColumnsByName } from '../../engine/spec/parcel-columns.ts';
import { splitTableName } from '../../engine/spec/table-names.ts';
import type { LookedColumn } from '../../engine/work/import-answers.ts';
import { formatPercent } from '../parts/format.ts';
import { Hint } from '../parts/hint.tsx';
import { useStore } from '../state/store.ts';
import { barsOf, confidenceWord, readAsWords, targets } from './expression-words.ts';
import { type ImportState, importing, type MapRow, mainLayer, tableLooks } from './import-state.ts';
import { withTarget } from './mapping-rows.ts';
import { RuleEditor } from './rule-editor.tsx';

export function MapLine({ row, needs }: { row: MapRow; needs: boolean }) {
  const state = useStore(importing);
  const [isOpen, setOpen] = useState(false);
  const { source, target, offered, expression, confidence, reasons } = row;
  const { samples, after, filled } = samplesOf(state, row);
  return (
    <>
      <tr data-source={source}>
        <td className="mono" title={source}>
          <span className="map-source">{source.replace(/table[2-9]?\./g, '')}</span>
        </td>
        <td className="quieter num" title={`${samples}${after ? ` → ${after}` : ''}`}>
          <span className="samples">
            {filled === null ? null : (
              <span className="quietest" title="of the first rows have a value">
                {fillPercent(filled, 1)}
              </span>
            )}
            <span className="ellipsis">{samples}</span>
            {samples === '' && after === null ? <span className="null">empty</span> : null}
            {after === null ? null : <span className="becomes ellipsis">→ {after}</span>}
          </span>
        </td>
        <td className="whole">
          <div className="field goes-to" data-needs={needs}>
            <select
              aria-label={`${source} goes to`}
              value={target ?? ''}
              onChange={(event) =>
                importing.set(({ rows }) => ({ rows: withTarget(rows, row.id, event.target.value || null) }))
              }
            >
              <option value="">keep raw</option>
              {targets.map(({ name, label }) => (
                <option key={name} value={name} title={label}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        </td>
        <td className="read-as">
          {target === null && offered !== null ? (
            <button
              type="button"
              className="button"
              onClick={() => importing.set(({ rows }) => ({ rows: withTarget(rows, row.id, offered) }))}
            >
              Is it {offered}?
            </button>
          ) : target === null ? (
            <span className="quieter">{reasons[0] ?? 'shown with the parcel'}</span>
          ) : (
            <button
              type="button"
              className="rule-button"
              aria-expanded={isOpen}
              aria-label={`How ${source} is read: ${readAsWords(target, expression)}`}
              onClick={() => setOpen(!isOpen)}
            >
              <span>{readAsWords(target, expression)}</span>
              <Pencil aria-hidden className="small" />
            </button>
          )}
        </td>
        <td>{confidence === null ? <Kept row={row} /> : <Confidence confidence={confidence} reasons={reasons} />}</td>
      </tr>
      {isOpen && target !== null ? (
        <tr className="rule-line">
          <td colSpan={5}>
            <RuleEditor row={row} column={parcelColumnsByName.get(target)} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** Samples: the first values of a single column, the first value of several. */
function samplesOf(
  state: ImportState,
  { source, expression, target, sample, after, filled }: MapRow,
): { samples: string; after: string | null; filled: number | null } {
  const column = columnOf(state, typeof expression === 'string' ? expression : source);
  const previewed = target === null ? undefined : state.preview?.columns.find((one) => one.column === target);
  const becomes = target === null ? null : previewed ? previewed.after : after;
  const first = target === null ? null : (previewed?.sample ?? sample);
  // Each converted value follows its own source value.
  const values = column
    ? [...(first === null ? [] : [first]), ...column.samples.filter((value) => value !== first)]
    : [];
  const written = column ? values.slice(0, 3).join(' · ') : (first ?? sample ?? '');
  const isSame = becomes !== null && first === becomes;
  return { samples: written, after: isSame ? null : becomes, filled: previewed?.filled ?? filled };
}

function columnOf(state: ImportState, name: string): LookedColumn | undefined {
  const ofTable = splitTableName(name);
  const plain = ofTable?.column ?? name;
  const layer = ofTable ? tableLooks(state)[ofTable.table]?.layers[0] : mainLayer(state);
  return layer?.columns.find((column) => column.name.toLowerCase() === plain.toLowerCase());
}

const Kept = ({ row }: { row: MapRow }) =>
  row.target !== null && row.reasons[0] ? <span className="quieter">{row.reasons[0]}</span> : null;

function Confidence({ confidence, reasons }: { confidence: number; reasons: readonly string[] }) {
  const bars = barsOf(confidence);
  return (
    <Hint text={reasons.join('; ')}>
      <button
        type="button"
        className="guess-strength"
        aria-label={`${confidenceWord(confidence)}, ${formatPercent(confidence * 100, 0)}: ${reasons.join('; ')}`}
      >
        <svg width="20" height="12" aria-hidden>
          {[1, 2, 3].map((bar) => (
            <rect
              key={bar}
              x={(bar - 1) * 7}
              y={12 - 4 * bar}
              width="5"
              height={4 * bar}
              rx="1"
              data-on={bar <= bars}
            />
          ))}
        </svg>
        <span>{confidenceWord(confidence)}</span>
        <span className="quietest num">{formatPercent(confidence * 100, 0)}</span>
      </button>
    </Hint>
  );
}
