/** Asks about a file in a process of its own: one that is made to do harm ends that process, not this command. */
import { forkWorker } from '../jobs/fork-worker.ts';
import type { QuestionInput, QuestionName } from '../jobs/question-kinds.ts';
import { QuestionRunner } from '../jobs/question-runner.ts';
import type { Answers } from '../reads/file-questions.ts';
import { faultText, type Output } from './output.ts';

/** @param home folder of saved mappings. @throws EngineError as the question does, or beyond its limits */
export async function askFile<Name extends QuestionName>(
  name: Name,
  input: QuestionInput<Name>,
  { home = '', output }: { readonly home?: string; readonly output: Output },
): Promise<Answers[Name]> {
  const questions = new QuestionRunner({
    home,
    now: () => new Date(),
    threads: 1,
    spawnWorker: forkWorker,
    log: (line) => output.note(faultText(line)),
  });
  try {
    return (await questions.ask(name, input)) as Answers[Name];
  } finally {
    questions.close();
  }
}
