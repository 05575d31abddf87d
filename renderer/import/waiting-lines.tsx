/** Parcels without a layer's values, each with the next step: its file, or computing. */
import { Layers } from 'lucide-react';
import type { Waiting } from '../../engine/work/import-answers.ts';
import { useClient } from '../state/client-context.tsx';
import { beginAgain } from './import-state.ts';
import { computeWaiting } from './import-undo.ts';

export function WaitingLines({ waiting }: { waiting: readonly Waiting[] }) {
  const client = useClient();
  if (waiting.length === 0) return null;
  return (
    <ul className="waiting-lines" aria-label="Waiting for a layer">
      {waiting.map(({ fips, kind, needs, file, sentence }) => (
        <li key={`${fips} ${kind}`} className="line wrap">
          <span className="warns" title={file ?? undefined}>
            {sentence}
          </span>
          {needs === 'file' ? (
            <button
              type="button"
              className="button"
              onClick={() => beginAgain({ what: 'layer', layerKind: kind, fips, view: 'new' })}
            >
              <Layers aria-hidden />
              Choose the file
            </button>
          ) : (
            <button type="button" className="button" onClick={() => void computeWaiting(client, fips)}>
              <Layers aria-hidden />
              Compute
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
