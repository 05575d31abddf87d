/** Takes an import back, or does it again: jobs over the whole file. */
import { Redo2, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { plural } from '../parts/format.ts';
import { useClient } from '../state/client-context.tsx';
import { redoImport, undoImport } from './import-undo.ts';

type Done = ReadOutputOf<'datasets'>['imports'][number];

/** Undoing asks first, with the numbers of the line; redoing can be undone. */
export function UndoButtons({ one, label = 'Undo' }: { one: Done; label?: string }) {
  const keep = useRef<HTMLButtonElement>(null);
  const client = useClient();
  const [isAsked, ask] = useState(false);
  // Enter on what is focused must take nothing back.
  useEffect(() => {
    if (isAsked) keep.current?.focus();
  }, [isAsked]);
  if (one.can_redo) {
    return (
      <button type="button" className="button quiet" onClick={() => void redoImport(client, one.import_id)}>
        <Redo2 aria-hidden className="small" />
        Redo
      </button>
    );
  }
  if (!one.can_undo) return null;
  if (!isAsked) {
    return (
      <button type="button" className="button quiet" onClick={() => ask(true)}>
        <Undo2 aria-hidden className="small" />
        {label}
      </button>
    );
  }
  return (
    <span className="line">
      <button type="button" className="button danger" onClick={() => void undoImport(client, one.import_id)}>
        {one.action === 'delete' ? 'Bring back' : 'Take back'} {plural(one.parcels, 'parcel', 'parcels')}
      </button>
      <button ref={keep} type="button" className="button" onClick={() => ask(false)}>
        Keep
      </button>
    </span>
  );
}
