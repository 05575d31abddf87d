// Starts the portable folder: serves the app and opens the browser on its one-time link. Needs neither npm nor Node on
// the machine: the launcher runs this with the folder's Node.
import { spawn } from 'node:child_process';
import path from 'node:path';

/** The command that opens an address in the user's browser. */
export function openCommand(platform, address) {
  // `start` takes its first quoted text for a title; the link holds no characters special to cmd.
  if (platform === 'win32') return { command: 'cmd.exe', args: ['/d', '/s', '/c', 'start', '""', address] };
  return { command: platform === 'darwin' ? 'open' : 'xdg-open', args: [address] };
}

/** The link in a line printed by `platbook serve`; null for every other line. */
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
  // A terminal sends Ctrl+C to both; a second signal would cut the shutdown short.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, isPortTaken })));
}

if (process.argv[1] === import.meta.filename) {
  const args = process.argv.slice(2);
  const first = await serve(args);
  // A second start, or another program: any other port works.
  const last = first.isPortTaken && !args.includes('--port') ? await serve([...args, '--port', '0']) : first;
  process.exitCode = last.code ?? 0;
}
