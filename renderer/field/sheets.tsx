/** What an action asks or answers, beside the card and over nothing. */
import { X } from 'lucide-react';
import { type ComponentType, type ReactNode, useRef } from 'react';
import { fieldNoteFormats, saveFieldNotes } from '../export/export-state.ts';
import { LayerLines } from '../map/layer-menu.tsx';
import type { MapSources } from '../map/map-sources.ts';
import { Tick } from '../parts/tick.tsx';
import { useFocusBack } from '../parts/use-focus-back.ts';
import { useClient } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { closeSheet, type SheetName } from './field-state.ts';
import { GoSheet } from './go-sheet.tsx';
import { PhotoSheet } from './photo-sheet.tsx';
import type { FieldHere } from './use-field-here.ts';
import { MarkSheet, WaypointSheet } from './waypoint-sheet.tsx';
import { WhoseSheet } from './whose-sheet.tsx';

export interface SheetProps {
  readonly found: FieldHere;
  readonly sources: MapSources;
}

interface SheetRow {
  readonly title: string;
  readonly content: ComponentType<SheetProps>;
}

function LayersSheet({ sources }: SheetProps) {
  const client = useClient();
  const { north } = useStore(settings);
  return (
    <>
      <LayerLines sources={sources} hasFill={false} />
      <h3>Bearings</h3>
      <Tick
        label="As a compass shows them (magnetic)"
        isOn={north === 'magnetic'}
        onChange={(isOn) => settings.set({ north: isOn ? 'magnetic' : 'true' })}
      />
      <h3>Waypoints, photos and tracks</h3>
      <div className="field-choices">
        {fieldNoteFormats.map((format) => (
          <button key={format} type="button" className="button" onClick={() => void saveFieldNotes(client, format)}>
            Save {format.toUpperCase()}
          </button>
        ))}
      </div>
    </>
  );
}

const sheets: Readonly<Record<SheetName, SheetRow>> = {
  whose: { title: 'Whose land', content: WhoseSheet },
  waypoint: { title: 'Waypoint', content: WaypointSheet },
  photo: { title: 'Photo', content: PhotoSheet },
  go: { title: 'Go to', content: GoSheet },
  mark: { title: 'Kept here', content: MarkSheet },
  layers: { title: 'Layers, bearings, files', content: LayersSheet },
};

export function FieldSheet({ sheet, ...props }: SheetProps & { sheet: SheetName }) {
  const { title, content: Content } = sheets[sheet];
  return (
    <SheetFrame key={sheet} title={title}>
      <Content {...props} />
    </SheetFrame>
  );
}

/** It takes the keyboard, and gives it back where it was. */
function SheetFrame({ title, children }: { title: string; children: ReactNode }) {
  const frame = useRef<HTMLElement>(null);
  useFocusBack(true, () => {
    const first = frame.current?.querySelector<HTMLElement>('[data-first]');
    // A focused field would bring up the keyboard of a phone, over what was asked.
    const isCovered = first instanceof HTMLInputElement && matchMedia('(pointer: coarse)').matches;
    (isCovered ? frame.current : (first ?? frame.current))?.focus();
  });
  return (
    <section ref={frame} className="field-plate field-sheet" aria-label={title} tabIndex={-1}>
      <header className="field-sheet-head">
        <h2>{title}</h2>
        <button type="button" className="field-plain" aria-label={`Close: ${title}`} onClick={closeSheet}>
          <X aria-hidden />
        </button>
      </header>
      <div className="field-sheet-body">{children}</div>
    </section>
  );
}
