/** Charges as fast as it can and reports after each answer how many were acknowledged; its parent kills it. */
import { openEngine } from '../../engine/engine.ts';

const engine = openEngine({ home: process.argv[2] ?? '' });
for (let acknowledged = 0; ; ) {
  const answers = await Promise.all(Array.from({ length: 8 }, () => engine.call('get_property', { id: 1 })));
  acknowledged += answers.length;
  process.send?.(acknowledged);
}
