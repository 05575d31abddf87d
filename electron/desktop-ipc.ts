/**
 * The calls of a page to main: one row each, with the schema of its input. Other callers and other inputs are refused.
 */
import type { IpcMain, IpcMainInvokeEvent, WebFrameMain } from 'electron/main';
import Type, { type TObject } from 'typebox';
import { findProblems } from '../engine/spec/validate.ts';
import { choiceSchema } from '../engine/spec/value-schemas.ts';
import { homeOf } from './app-scheme.ts';
import { type CallName, callChannel, callNames, type LocationChoice, locationSources } from './bridge.ts';

const nothing = Type.Object({}, { additionalProperties: false });

interface CallInputs {
  connect: object;
  choose_files: object;
  choose_folder: object;
  open_home: object;
  open_sample: object;
  show_file: { readonly path: string };
  save_file: { readonly id: string };
  open_pdf: { readonly id: string };
  read_location: object;
  set_location: LocationChoice;
  watch_position: object;
  unwatch_position: object;
}

/** The engine's id of a finished file; the file's name never comes from a page. */
const shelved = Type.Object(
  { id: Type.String({ pattern: '^[0-9a-f]{32}$', 'x-expected': 'an id of 32 hexadecimal digits' }) },
  { additionalProperties: false },
);

const callInputs: { readonly [Name in CallName]: TObject } = {
  connect: nothing,
  choose_files: nothing,
  choose_folder: nothing,
  open_home: nothing,
  open_sample: nothing,
  show_file: Type.Object(
    { path: Type.String({ minLength: 1, maxLength: 4096, 'x-expected': 'a path' }) },
    { additionalProperties: false },
  ),
  save_file: shelved,
  open_pdf: shelved,
  read_location: nothing,
  set_location: Type.Object(
    {
      on: Type.Boolean({ 'x-expected': 'true or false' }),
      source: choiceSchema(locationSources, { expected: 'the name of a source' }),
      place: Type.String({ maxLength: 4096, 'x-expected': 'a port, an address or a file' }),
    },
    { additionalProperties: false },
  ),
  watch_position: nothing,
  unwatch_position: nothing,
};

/** The implementation of each row. @param sender number of the page's webContents */
export type CallHandlers = {
  readonly [Name in CallName]: (input: CallInputs[Name], sender: number) => unknown;
};

/** Only the top frame of our own windows, and only while it shows our page. */
const isOwnPage = (frame: Pick<WebFrameMain, 'parent' | 'url'> | null): boolean =>
  frame !== null && frame.parent === null && homeOf(frame.url) !== null;

type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

const refusal = (message: string): Answer => ({ ok: false, message });

/** @param isOwnWindow whether main created the webContents */
export function serveDesktopCalls(
  ipcMain: Pick<IpcMain, 'handle'>,
  handlers: CallHandlers,
  isOwnWindow: (sender: number) => boolean,
): void {
  for (const name of callNames) {
    ipcMain.handle(callChannel(name), (event, input) => answer(name, handlers, isOwnWindow, event, input));
  }
}

async function answer(
  name: CallName,
  handlers: CallHandlers,
  isOwnWindow: (sender: number) => boolean,
  { senderFrame, sender }: Pick<IpcMainInvokeEvent, 'senderFrame' | 'sender'>,
  input: unknown,
): Promise<Answer> {
  if (!isOwnPage(senderFrame) || !isOwnWindow(sender.id)) return refusal('This page may not make this call.');
  const problems = findProblems(callInputs[name], input);
  if (problems) return refusal(`${name}: ${Object.entries(problems).flat(2).join(': ')}`);
  try {
    return { ok: true, value: (await handlers[name](input as never, sender.id)) ?? null };
  } catch (error) {
    return refusal(error instanceof Error ? error.message : String(error));
  }
}
