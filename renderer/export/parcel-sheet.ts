/** The sheet of one parcel: saved like an export, or opened for printing. Free. */
import type { EngineClient } from '../client/engine-client.ts';
import { mapMemory } from '../map/map-state.ts';
import { photoShown } from '../map/photo.ts';
import { toast } from '../state/toasts.ts';
import { targets } from '../work/targets.ts';
import { pdfOpener } from './open-pdf.ts';
import { saveFile } from './save-file.ts';

const say = (error: unknown): void => toast(error instanceof Error ? error.message : String(error));

/** The photo that the map shows lies on the sheet too. */
async function underSheet(client: EngineClient): Promise<{ photo?: string }> {
  const memory = mapMemory.get();
  const photo = memory.look === 'map' ? null : photoShown(await client.read('map_sources', {}), memory);
  return photo ? { photo: photo.source } : {};
}

/** One at a time: the last selected. */
function chosenParcel(verb: string): number | null {
  const id = targets().at(-1) ?? null;
  if (id === null) toast(`Select a parcel to ${verb} its sheet`);
  return id;
}

export async function saveSheet(client: EngineClient, id: number): Promise<void> {
  try {
    saveFile(await client.read('parcel_sheet', { id, ...(await underSheet(client)) }));
  } catch (error) {
    say(error);
  }
}

export async function saveAdjoiners(client: EngineClient, id: number, feet: number): Promise<void> {
  try {
    const { notes, ...file } = await client.read('adjoiner_map', { id, within_feet: feet });
    saveFile(file);
    for (const note of notes) toast(note);
  } catch (error) {
    say(error);
  }
}

async function printSheet(client: EngineClient, id: number): Promise<void> {
  const opener = pdfOpener();
  try {
    const data = await client.read('parcel_sheet', { id, to_print: true, ...(await underSheet(client)) });
    if (!(await opener.show(data.id))) saveFile(data);
  } catch (error) {
    opener.giveUp();
    say(error);
  }
}

export function saveChosenSheet(client: EngineClient): void {
  const id = chosenParcel('save');
  if (id !== null) void saveSheet(client, id);
}

export function printChosenSheet(client: EngineClient): void {
  const id = chosenParcel('print');
  if (id !== null) void printSheet(client, id);
}
