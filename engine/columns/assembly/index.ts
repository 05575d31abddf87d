// The kernels in AssemblyScript; ../kernels.ts documents each. They compile to ../kernels.wasm with `npm run kernels`;
// TypeScript and Biome skip this folder, because they do not know `u32`, `v128` and `@inline`.
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
export { grid, decide } from './areas';
export { holding, setPostings } from './words';
export { sum } from './sum';
