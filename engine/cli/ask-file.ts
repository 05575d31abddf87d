/** Asks about a file in a process of its own: one that is made to do harm ends that process, not this command. */
import { forkWorker } from '../jobs/fork-worker.ts';
import type { TaskInput, TaskName } from '../jobs/task-kinds.ts';
import { TaskRunner } from '../jobs/task-runner.ts';
import type { Answers } from '../reads/file-questions.ts';
import { faultText, type Output } from './output.ts';

/** @param home folder of saved mappings. @throws EngineError as the question does, or beyond its limits */
export async function askFile<Name extends TaskName<'newest wins'>>(
  name: Name,
  input: TaskInput<Name>,
  { home = '', output }: { readonly home?: string; readonly output: Output },
): Promise<Answers[Name]> {
  const runner = new TaskRunner({
    home,
    now: () => new Date(),
    threads: 1,
    spawnWorker: forkWorker,
    log: (line) => output.note(faultText(line)),
  });
  try {
    return (await runner.ask(name, input)) as Answers[Name];
  } finally {
    runner.close();
  }
}
