/**
 * The bridge of a page. Runs in the sandbox beside the page, bundled into one CommonJS file that requires only
 * `electron/renderer`. Exposes nothing of Electron: neither `ipcRenderer` nor an event, whose `sender` would be it.
 */
import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron/renderer';
import {
  type CallName,
  callChannel,
  type DesktopBridge,
  newsChannels,
  type OpenedNews,
  type PositionNews,
  portMessage,
} from './bridge.ts';

/** Main's answer: a value, or an error's sentence. Electron would prefix a thrown error with its own words. */
type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

async function ask(name: CallName, input: object = {}): Promise<never> {
  const answer: Answer = await ipcRenderer.invoke(callChannel(name), input);
  if (!answer.ok) throw new Error(answer.message);
  return answer.value as never;
}

function listen<Value>(channel: string, listener: (value: Value) => void): () => void {
  const hear = (_event: IpcRendererEvent, value: Value): void => listener(value);
  ipcRenderer.on(channel, hear);
  return () => {
    ipcRenderer.off(channel, hear);
  };
}

const bridge: DesktopBridge = {
  connect: () => ask('connect'),
  chooseFiles: () => ask('choose_files'),
  chooseFolder: () => ask('choose_folder'),
  openHome: () => ask('open_home'),
  openSample: () => ask('open_sample'),
  showFile: (path) => ask('show_file', { path }),
  saveFile: (id) => ask('save_file', { id }),
  openPdf: (id) => ask('open_pdf', { id }),
  readLocation: () => ask('read_location'),
  setLocation: ({ on, source, place }) => ask('set_location', { on, source, place }),
  watchPosition: () => ask('watch_position'),
  unwatchPosition: () => ask('unwatch_position'),
  pathOf: (file) => webUtils.getPathForFile(file as never),
  onCommand: (listener) => listen<string>(newsChannels.command, listener),
  onOpened: (listener) => listen<OpenedNews>(newsChannels.opened, listener),
  onPosition: (listener) => listen<PositionNews>(newsChannels.position, listener),
};

/** The parts of the page's window in use; the other files of this project have no DOM. */
interface PageWindow {
  readonly location: { readonly origin: string };
  postMessage(message: unknown, origin: string, ports: readonly unknown[]): void;
}

const page = globalThis as unknown as PageWindow;

ipcRenderer.on(newsChannels.port, ({ ports }) => page.postMessage(portMessage, page.location.origin, ports));

contextBridge.exposeInMainWorld('platbook', bridge);
