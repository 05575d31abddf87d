// The portable folder's own start: serves the app and opens the browser on its one-time link. No npm, no Node of the
// machine: the launcher beside it starts this with the Node of the folder.
import { spawn } from 'node:child_process';
import path from 'node:path';

/** What opens an address in the user's browser. */
export function openCommand(platform, address) {
  // `start` takes its first text in quotes for a title; the link holds no character that cmd would read as its own.
  if (platform === 'win32') return { command: 'cmd.exe', args: ['/d', '/s', '/c', 'start', '""', address] };
  return { command: platform === 'darwin' ? 'open' : 'xdg-open', args: [address] };
}

/** The link in a line that `platbook serve` prints; null in every other. */
export const linkIn = (line) => /^App: (http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]+)$/.exec(line)?.[1] ?? null;

function openBrowser(address) {
  const { command, args } = openCommand(process.platform, address);
  const opener = spawn(command, args, { stdio: 'ignore', detached: true, windowsVerbatimArguments: true });
  opener.on('error', () => console.log(`Open this address in your browser: ${address}`));
  opener.unref();
}

/** @returns {Promise<number | null>} the exit code; `isPortTaken` when another program answers at the usual port */
function serve(args) {
  const cli = path.join(import.meta.dirname, 'engine', 'bin', 'platbook.mjs');
  const child = spawn(process.execPath, [cli, 'serve', ...args], { stdio: ['inherit', 'pipe', 'pipe'] });
  let rest = '';
  let isPortTaken = false;
  child.stdout.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const link = linkIn(line.trimEnd());
      if (link) {
        openBrowser(link);
        console.log('Platbook is open in your browser. Close this window to stop it.');
      }
      console.log(line);
    }
  });
  child.stderr.on('data', (chunk) => {
    if (/^platbook: Port \d+ is in use/.test(chunk)) isPortTaken = true;
    else process.stderr.write(chunk);
  });
  // A terminal tells Ctrl+C to both; a second signal would cut the end of the first short.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, isPortTaken })));
}

if (process.argv[1] === import.meta.filename) {
  const args = process.argv.slice(2);
  const first = await serve(args);
  // A second start, or another program: any other port will do, nobody has to know it.
  const last = first.isPortTaken && !args.includes('--port') ? await serve([...args, '--port', '0']) : first;
  process.exitCode = last.code ?? 0;
}
