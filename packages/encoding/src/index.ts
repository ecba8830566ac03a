export { EncodingFault } from './encoding-error.ts'
export { bool, bytes, list, optional, struct, text, uint, union, type Infer, type Shape, type StructShape, type UnionShape } from './shape.ts'
export { encode, decode, digest } from './codec.ts'
export { concatBytes, equalBytes, fromHex, toHex } from './bytes.ts'
