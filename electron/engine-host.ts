/** Entry of `utilityProcess.fork`: an engine host whose parent is Electron's main process. */
import process from 'node:process';
import { runHost } from './host.ts';
import type { ToHost } from './host-messages.ts';
import { portLike } from './main-port.ts';

const { parentPort } = process;

runHost({
  post: (message) => parentPort.postMessage(message),
  onMessage: (listener) => {
    parentPort.on('message', ({ data, ports }) => {
      const port = ports[0];
      listener(data as ToHost, port ? portLike(port) : null);
    });
  },
  exit: () => process.exit(0),
});
