/** The real main process under a typed double of Electron; and the same with one thing broken at a time. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { emptyHome } from '../support/homes.ts';
import { root } from './built-app.ts';

const scenario = path.join(import.meta.dirname, 'boot-scenario.ts');

/** Names of failed checks; a main that does not even start fails with its output. */
async function boot(folder: string, start: 'first' | 'second' = 'first'): Promise<string[]> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [scenario, folder, start, emptyHome()], {
      env: { ...process.env, PLATBOOK_HOME: path.join(emptyHome(), 'home') },
    });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as string[];
  } catch (error) {
    return [`it did not start: ${String((error as { stderr?: string }).stderr).slice(-300)}`];
  }
}

describe('main', () => {
  test('boots in the right order, with a locked-down window, and answers only its own pages', async () => {
    expect(await boot(path.join(root, 'electron'))).toEqual([]);
  });

  test('leaves the files to the Platbook that runs already', async () => {
    expect(await boot(path.join(root, 'electron'), 'second')).toEqual([]);
  });
});

interface Mutation {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The check that has to notice. */
  readonly fails: string;
}

const mutations: readonly Mutation[] = [
  { file: 'main.ts', from: 'app.enableSandbox();\n', to: '', fails: 'scheme, sandbox, ready come in this order' },
  {
    file: 'main.ts',
    from: 'protocol.registerSchemesAsPrivileged(',
    to: 'void app.whenReady().then(() => protocol).then((it) => it.registerSchemesAsPrivileged)\nprotocol.handle.bind(',
    fails: 'scheme, sandbox, ready come in this order',
  },
  { file: 'main.ts', from: 'lockDownPages(app);\n', to: '', fails: 'will-navigate away is refused' },
  { file: 'main.ts', from: "'Platbook Desktop'", to: "'Platbook'", fails: 'settings lie beside the home, not in it' },
  {
    file: 'app-scheme.ts',
    from: 'standard: true',
    to: 'bypassCSP: true, standard: true',
    fails: 'the scheme does not bypass the policy',
  },
  { file: 'window-options.ts', from: '    sandbox: true,\n', to: '', fails: 'the window is sandboxed and isolated' },
  {
    file: 'window-options.ts',
    from: 'contextIsolation: true',
    to: 'contextIsolation: false',
    fails: 'the window is sandboxed and isolated',
  },
  {
    file: 'window-options.ts',
    from: 'nodeIntegration: false',
    to: 'nodeIntegration: true',
    fails: 'the window has no Node',
  },
  {
    file: 'window-options.ts',
    from: 'devTools: hasDevTools',
    to: 'devTools: true',
    fails: 'the window has no webview, no spelling from the network, no tools in a build',
  },
  { file: 'lock-down.ts', from: "action: 'deny'", to: "action: 'allow'", fails: 'no page opens a window' },
  {
    file: 'lock-down.ts',
    from: "page.on('will-redirect', refuseForeign);",
    to: '',
    fails: 'will-redirect away is refused',
  },
  {
    file: 'lock-down.ts',
    from: 'cancel: !mayLoad(details.url)',
    to: 'cancel: false',
    fails: 'nothing of a network is loaded',
  },
  {
    file: 'page-policy.ts',
    from: "permission === 'geolocation' && isLocationOn",
    to: "permission === 'geolocation'",
    fails: 'the place is refused while the switch is off',
  },
  {
    file: 'page-policy.ts',
    from: '  if (homeOf(page) === null) return false;\n  return always',
    to: '  return always',
    fails: 'the place is never given to others',
  },
  {
    file: 'desktop-ipc.ts',
    from: 'frame.parent === null && ',
    to: '',
    fails: 'a frame, page or window that is not ours is refused',
  },
  {
    file: 'desktop-ipc.ts',
    from: ' || !isOwnWindow(sender.id)',
    to: '',
    fails: 'a frame, page or window that is not ours is refused',
  },
  { file: 'desktop-ipc.ts', from: 'if (problems) return', to: 'if (false) return', fails: 'a wrong input is refused' },
  {
    file: 'desktop-shell.ts',
    from: 'if (!this.#chosen.has(file))',
    to: 'if (file === this.#home)',
    fails: 'a file that was not chosen is not shown',
  },
  {
    file: 'desktop-shell.ts',
    from: 'read_location: () =>',
    to: 'read_place: () =>',
    fails: 'our own page is answered',
  },
  {
    file: 'desktop-shell.ts',
    from: "home === 'sample' ? sampleHomeFolder(this.#home) : this.#home",
    to: 'home === null ? sampleHomeFolder(this.#home) : this.#home',
    fails: 'a page has the files of its own home alone',
  },
  {
    file: 'desktop-shell.ts',
    from: 'file === place || this.#chosen.has(file)',
    to: 'file !== place || this.#chosen.has(file)',
    fails: 'a page cannot name any file or machine as a receiver',
  },
  {
    file: 'shelved-files.ts',
    from: "if (mediaType !== 'application/pdf')",
    to: 'if (mediaType.length === 0)',
    fails: 'only a PDF is opened',
  },
  {
    file: 'desktop-shell.ts',
    from: 'watch_position: (_input, sender) => this.#positions.start(sender)',
    to: 'watch_position: (_input, sender) => this.#positions.stop(sender)',
    fails: 'a page that watches is told',
  },
  { file: 'desktop-shell.ts', from: '    await this.#hosts.stop();\n', to: '', fails: 'the host is asked to stop' },
  {
    file: 'desktop-shell.ts',
    from: "app.on('second-instance', (_event, args, folder) => {",
    to: "app.on('second-instance', (_event, args) => {\n      const folder = '/';",
    fails: 'a file of a second start reaches the page, by its whole path',
  },
  {
    file: 'desktop-shell.ts',
    from: "app.on('open-file', (event, file) => {",
    to: "app.on('open-files' as never, (event: { preventDefault(): void }, file: string) => {",
    fails: 'a folder that macOS hands over reaches the page',
  },
  { file: 'hosts.ts', from: '[port2]', to: '[port1]', fails: 'each side gets its end of one channel' },
  {
    file: 'hosts.ts',
    from: 'message: sentence',
    to: "message: ''",
    fails: 'what the start has done with the files is said',
  },
  {
    file: 'utility-processes.ts',
    from: "stdio: 'pipe', env }",
    to: "stdio: 'pipe' }",
    fails: 'a job has a temporary folder of its own',
  },
  {
    file: 'utility-processes.ts',
    from: '      remove();\n',
    to: '',
    fails: 'the temporary folder goes with a job that is killed',
  },
  {
    file: 'supervisor-state.ts',
    from: "if (state.phase === 'waiting') return begin(state);",
    to: '',
    fails: 'a host that ends is started again',
  },
  { file: 'deep-link.ts', from: '(\\d{1,16})\\/?$/', to: '(\\d{1,16})/', fails: 'other links reach nobody' },
  {
    file: 'menu-table.ts',
    from: 'registerAccelerator: false',
    to: 'registerAccelerator: true',
    fails: 'the menu shows a key that the page has itself',
  },
  {
    file: 'close-policy.ts',
    from: 'runningJobs > 0 && ',
    to: 'runningJobs > 9 && ',
    fails: 'closing the last window asks while work runs',
  },
];

/** A copy of the shell with one place changed; the engine is the project's own. */
function mutant({ file, from, to }: Mutation): string {
  const folder = emptyHome();
  fs.cpSync(path.join(root, 'electron'), path.join(folder, 'electron'), { recursive: true });
  for (const name of ['engine', 'node_modules', 'package.json'])
    fs.symlinkSync(path.join(root, name), path.join(folder, name));
  const changed = path.join(folder, 'electron', file);
  const text = fs.readFileSync(changed, 'utf8');
  expect(text.split(from).length, `${from} stands once in ${file}`).toBe(2);
  fs.writeFileSync(
    changed,
    text.replace(from, () => to),
  );
  return path.join(folder, 'electron');
}

describe('a main that was broken on purpose is noticed', () => {
  test.each(mutations)('$file: $from', async (mutation) => {
    expect(await boot(mutant(mutation))).toContain(mutation.fails);
  });
});
