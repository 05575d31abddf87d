// `npm run dev`: `npm start` with the pages from their sources, hot-reloaded by vite. Arguments go to `platbook start`.
//
// The listener stays as it ships, behind vite as a proxy: the browser opens the one-time link under vite's address, the
// listener sets its cookie for 127.0.0.1 (cookies ignore ports), and the proxy then passes the app's requests on. Only
// an Origin that is vite's own becomes the listener's; any other passes unchanged, and the listener refuses it.
// Likewise vite refuses a Host that is not this machine.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createServer } from 'vite';
import { contentSecurityPolicy } from '../http/static-files.ts';

const root = path.resolve(import.meta.dirname, '..', '..');

/** The shipped policy, extended for vite: its inline scripts and styles, and its update socket. */
const policy = contentSecurityPolicy
  .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("connect-src 'self'", "connect-src 'self' ws:");

/** @param listener `http://127.0.0.1:PORT` of `platbook start` */
async function startVite(listener) {
  const passOn = {
    target: listener,
    changeOrigin: true,
    configure: (proxy) => {
      proxy.on('proxyReq', (ahead, request) => {
        if (request.headers.origin === `http://${request.headers.host}`) ahead.setHeader('Origin', listener);
      });
    },
  };
  const server = await createServer({
    configFile: path.join(root, 'vite.config.ts'),
    clearScreen: false,
    server: {
      host: '127.0.0.1',
      headers: { 'Content-Security-Policy': policy },
      proxy: { '^/(app|open)/': passOn },
      // The pages import types and tables of the engine, which lies outside vite's root.
      fs: { allow: ['renderer', 'engine', 'data', 'node_modules'].map((folder) => path.join(root, folder)) },
    },
  });
  await server.listen();
  return `http://127.0.0.1:${server.httpServer.address().port}`;
}

const service = spawn(
  process.execPath,
  [path.join(import.meta.dirname, 'platbook.mjs'), 'start', '--port', '0', ...process.argv.slice(2)],
  { stdio: ['inherit', 'pipe', 'inherit'], env: { ...process.env, PLATBOOK_SOURCES: '1' } },
);
let pages = null;
let hasFailed = false;
let rest = '';
// Prints line by line: the first link waits for vite.
let printed = Promise.resolve();
service.stdout.on('data', (chunk) => {
  const lines = `${rest}${chunk}`.split('\n');
  rest = lines.pop();
  for (const line of lines) printed = printed.then(() => print(line)).catch(giveUp);
});

async function print(line) {
  const [, listener, link] = /^App: (http:\/\/127\.0\.0\.1:\d+)(\/open\/\S+)/.exec(line) ?? [];
  if (!listener) return console.log(line);
  pages ??= startVite(listener);
  console.log(`App: ${await pages}${link}`);
}

function giveUp(error) {
  if (!hasFailed) console.error(error);
  hasFailed = true;
  service.kill('SIGTERM');
}

// The service closes its files, and vite ends with it. A terminal sends Ctrl+C to both, and a second signal would cut
// that short.
process.on('SIGINT', () => process.stdin.isTTY || service.kill('SIGINT'));
process.on('SIGTERM', () => service.kill('SIGTERM'));
service.on('close', (code) => printed.then(() => process.exit(hasFailed ? 1 : (code ?? 1))));
