/** The first query of a new process on a file that is not in memory. */
import { execFileSync, fork, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { ColdAnswer } from './cold-child.ts';
import type { BenchEngine } from './engines/engine.ts';
import type { Question } from './questions.ts';

/** Node cannot ask for it; python3's standard library can. Written pages leave only once they are on the disk. */
const evictScript = `
import os, sys
for name in sys.argv[1:]:
    descriptor = os.open(name, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)
`;

/** Why files cannot be evicted here; null: they can. */
export const missingEviction = (): string | null =>
  spawnSync('python3', ['-c', 'import os; os.posix_fadvise']).status === 0
    ? null
    : 'python3 with os.posix_fadvise (Linux)';

export function evict(files: readonly string[]): void {
  const all = files.flatMap((file) => [file, `${file}-wal`]).filter((file) => fs.existsSync(file));
  execFileSync('python3', ['-c', evictScript, ...all]);
}

export async function askCold(engine: BenchEngine, folder: string, question: Question): Promise<ColdAnswer> {
  const files = engine.files(folder);
  if (typeof files === 'string') throw new Error(`${engine.name}: ${files}`);
  evict(files);
  const child = fork(path.join(import.meta.dirname, 'cold-child.ts'), [engine.name, folder, JSON.stringify(question)], {
    serialization: 'advanced',
  });
  return new Promise((resolve, reject) => {
    let answer: ColdAnswer | null = null;
    child.on('message', (message) => {
      answer = message as ColdAnswer;
    });
    child.on('exit', (code) => {
      if (answer) resolve(answer);
      else reject(new Error(`${engine.name}: the process of a cold query ended with code ${code}`));
    });
  });
}
