// The kernels of ../kernels.ts in AssemblyScript, which says what each of them does. They compile to ../kernels.wasm
// with `npm run kernels`; TypeScript and Biome leave the folder alone, because `u32`, `v128` and `@inline` are not theirs.
export {
  and,
  andNot,
  or,
  count,
  countAnd,
  select,
  setPositions,
  clearPositions,
} from './bitmaps';
export { range8, range16, range32 } from './ranges';
export { member8, member16, member32, histogram8, histogram16, histogram32 } from './members';
export { walk, walkDown, countOrdered } from './orders';
export { boxes, classify } from './boxes';
export { sum } from './sum';
