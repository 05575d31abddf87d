/** The parent's side of engine-worker.ts: one request at a time. */
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { Asked, EngineFacts, Requests } from './engine-worker.ts';
import type { Loaded } from './engines/engine.ts';

interface Results {
  load: Loaded;
  open: undefined;
  ask: Asked;
  facts: EngineFacts;
  close: undefined;
}

export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
    this.#child = fork(path.join(import.meta.dirname, 'engine-worker.ts'), [name], { serialization: 'advanced' });
  }

  /** @throws Error with the engine's message if it failed or its process ended */
  call<Name extends keyof Requests>(name: Name, request: Requests[Name]): Promise<Results[Name]> {
    return new Promise((resolve, reject) => {
      const child = this.#child;
      const settle = (work: () => void) => {
        child.off('message', onMessage);
        child.off('exit', onExit);
        work();
      };
      const onMessage = (message: unknown) => {
        const { result, problem } = message as { result: Results[Name]; problem?: string };
        settle(() => (problem === undefined ? resolve(result) : reject(new Error(`${this.#name}: ${problem}`))));
      };
      const onExit = (code: number | null) =>
        settle(() => reject(new Error(`${this.#name}: its process ended with code ${code}`)));
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send({ name, request });
    });
  }

  /** Ends the process; the system closes its files. */
  end(): void {
    this.#child.removeAllListeners();
    this.#child.kill();
  }
}
